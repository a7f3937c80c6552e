import { cutText } from '@gated-flow/text';
import { roundTitle } from './figures.js';

/** Fields that the line says in another way, or that say nothing to a person. */
const ELSEWHERE = new Set(['ts', 'event', 'stage', 'repeat', 'retry', 'prev']);
const VALUE_BYTES = 160;

/** An event of any kind as one line: time, place (`words` name the child runs on the way), kind, then its own fields. Redacted before; not escaped yet. */
export function eventLine(event: Readonly<Record<string, unknown>>, words: readonly string[] = []): string {
  const fields = Object.entries(event).filter(([name]) => !ELSEWHERE.has(name));
  const time = textOf(event['ts']).slice(11, 23);
  return [
    time,
    [...words, placeOf(event)].filter((word) => word !== '').join(' › '),
    textOf(event['event']),
    ...fields.map(([name, value]) => `${name}=${valueText(value)}`),
  ]
    .filter((cell) => cell !== '')
    .join('  ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function placeOf({ stage, repeat, retry }: Readonly<Record<string, unknown>>): string {
  if (typeof stage !== 'string') return '';
  const cells = [stage];
  if (typeof repeat === 'number') cells.push(`repeat ${repeat}`);
  if (typeof retry === 'number') cells.push(roundTitle(retry));
  return cells.join(' ');
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : (JSON.stringify(value) ?? '');
  if (/^[0-9a-f]{64}$/.test(text)) return text.slice(0, 12);
  const cut = cutText(text, VALUE_BYTES);
  return cut === text ? text : `${cut}…`;
}
