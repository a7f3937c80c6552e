import { cutText } from '@gated-flow/text';

const SHOWN = 3;
const LOOKED_AT = 50_000;
const COMPARED = 400;
const LINE_BYTES = 300;
/** Less alike than this is no help. */
const ALIKE = 0.4;

/** For a text that is not in a file: why that may be, and the lines nearest to its first line, numbered. Empty when nothing comes near. */
export function nearestLines(content: string, wanted: string): string[] {
  const hints: string[] = [];
  if (content.includes('\r\n') && !wanted.includes('\r') && content.replaceAll('\r\n', '\n').includes(wanted)) {
    hints.push('The lines of this file end in \\r\\n, those of the old text in \\n.');
  }
  const first = wanted
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  if (first === undefined) return hints;
  const ranked = content
    .split('\n', LOOKED_AT)
    .map((line, index) => ({ line, number: index + 1, alike: likeness(line.trim(), first) }))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((a, b) => b.alike - a.alike || a.number - b.number)
    .slice(0, SHOWN)
    .sort((a, b) => a.number - b.number);
  if (ranked.length === 0) return hints;
  return [...hints, 'The nearest lines:', ...ranked.map(({ line, number }) => `${number}: ${cutText(line, LINE_BYTES)}`)];
}

/** Dice's coefficient of the pairs of neighbouring characters: 1 for equal texts, 0 for texts that share none. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const left = pairs(a);
  const right = pairs(b);
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const pair of left) if (right.has(pair)) shared++;
  return (2 * shared) / (left.size + right.size);
}

function pairs(text: string): Set<string> {
  const found = new Set<string>();
  const end = Math.min(text.length, COMPARED) - 1;
  for (let at = 0; at < end; at++) found.add(text.slice(at, at + 2));
  return found;
}
