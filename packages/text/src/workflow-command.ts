/** The message of a workflow command of GitHub: nothing in it can end the command, start another, or move the cursor of the log. */
export function workflowData(text: string): string {
  return text
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, '');
}

/** The same for a property, such as `file` or `title`. */
export function workflowProperty(text: string): string {
  return workflowData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
