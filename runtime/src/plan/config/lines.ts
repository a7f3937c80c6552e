/** The line (from 1) on which a key stands in block-style YAML, as deep as it can be followed; null when not even the first is found. */
export function lineOf(text: string, path: readonly string[]): number | null {
  const lines = text.split('\n');
  let at = 0;
  let deeperThan = -1;
  let line: number | null = null;
  for (const key of path) {
    const next = findKey(lines, key, { from: at, deeperThan });
    if (next === null) break;
    line = next.index + 1;
    at = next.index + 1;
    deeperThan = next.indent;
  }
  return line;
}

function findKey(
  lines: readonly string[],
  key: string,
  start: { from: number; deeperThan: number },
): { index: number; indent: number } | null {
  let level: number | null = null;
  for (let index = start.from; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const indent = line.length - line.trimStart().length;
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    if (indent <= start.deeperThan) return null;
    level ??= indent;
    if (indent === level && isKey(text, key)) return { index, indent };
  }
  return null;
}

function isKey(text: string, key: string): boolean {
  return [key, `"${key}"`, `'${key}'`].some((spelled) => text.startsWith(`${spelled}:`));
}
