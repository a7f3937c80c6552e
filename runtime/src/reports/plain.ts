/** Foreign text in GitHub's markdown: nothing in it is markdown, HTML, a mention or a link. */

/** A block that the text cannot end: its fence is longer than any run of backticks or tildes in it. */
export function fenced(text: string, info = 'text'): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${info}\n${text.replace(/\n+$/, '')}\n${fence}\n`;
}

/** A span of code in a line; inside neither mentions nor links are made. Line feeds become spaces. */
export function inline(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** The same in a cell of a table, where a bar would begin the next. */
export function cell(text: string): string {
  return inline(text).replaceAll('|', '\\|');
}

/** The same in HTML, for where markdown is not read. */
export function htmlCode(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const safe = line
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('`', '&#96;');
  return `<code>${safe}</code>`;
}

function longestRun(text: string): number {
  return [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);
}
