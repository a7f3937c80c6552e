/** Two runs side by side for people. Neither redacted nor escaped. */
import { counted } from '@gated-flow/text';
import type { Difference } from './compare.js';
import { short } from './compare.js';
import type { RunDiff, StageDiff, StageSide } from './diff.js';

const LABEL = 14;

/** `width` in columns. */
export function runDiffText({ place, only, same, differences, stages }: RunDiff, width: number): string {
  const name = place === '' ? '' : `${place}\n`;
  if (only !== null) return `${name}  only in ${only.toUpperCase()}: ${differences[0]?.[only] ?? ''}\n`;
  if (same) return place === '' ? stages.map((stage) => ` = ${stage.place}\n`).join('') : '';
  return [name, ...differences.map((one) => differenceLines(one, width)), ...stages.map((stage) => stageText(stage, width))].join('');
}

function stageText(stage: StageDiff, width: number): string {
  const { place, a, b, same, differences } = stage;
  if (same) return ` = ${place}\n`;
  if (a === null || b === null) return ` ${a === null ? '+' : '-'} ${place}   only in ${a === null ? 'B' : 'A'}: ${summaryOf(a ?? b)}\n`;
  const moved = a.place === b.place ? '' : ` → ${b.place}`;
  const fields = differences.filter(({ field }) => field !== 'place');
  return [` ≠ ${place}${moved}\n`, ...fields.map((one) => differenceLines(one, width)), ...outputText(stage, width)].join('');
}

function summaryOf(side: StageSide | null): string {
  if (side === null) return '';
  return [side.verdict, counted(side.rounds, 'round'), side.usage, ...(side.output === null ? [] : [sizeOf(side.output)])].join(', ');
}

function outputText({ a, b, output }: StageDiff, width: number): string[] {
  if (output.kind === 'same' || output.kind === 'none') return [];
  const told = (side: StageSide | null): string | null => (side === null || side.output === null ? null : sizeOf(side.output));
  const head = differenceLines({ field: 'output', a: told(a), b: told(b) }, width);
  switch (output.kind) {
    case 'text': {
      const more = output.omitted === 0 ? [] : [`     … ${counted(output.omitted, 'more line')} (--lines N shows more)\n`];
      return [head, ...output.lines.map((line) => `     ${line}\n`), ...more];
    }
    case 'binary':
    case 'large':
    case 'withheld':
      return [head, `     ${WHY[output.kind]}\n`];
    default:
      return [head];
  }
}

const WHY = {
  binary: 'no text: told apart by size and hash',
  large: 'too large or too different to tell line by line: told apart by size and hash',
  withheld: 'a check said no to it: told apart by size and hash',
};

function sizeOf({ sha256, bytes }: NonNullable<StageSide['output']>): string {
  return `${counted(bytes, 'byte')}, ${short(sha256)}`;
}

/** Both values beside each other where they fit, else one below the other. */
function differenceLines({ field, a, b }: Difference, width: number): string {
  const label = `     ${field.padEnd(LABEL)}`;
  const half = Math.floor((width - label.length - 3) / 2);
  const [was, is] = [oneLine(a), oneLine(b)];
  if (was.length <= half && is.length <= half && field.length <= LABEL) return `${label}${was.padEnd(half)}   ${is}`.trimEnd() + '\n';
  return `     ${field}\n       A  ${was}\n       B  ${is}\n`;
}

function oneLine(value: string | null): string {
  return value === null ? '–' : value.replaceAll(/\s+/g, ' ');
}
