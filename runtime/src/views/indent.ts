/** Every line moved to the right by so many columns. */
export function indent(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(columns) + line)
    .join('\n');
}
