/** A request for leave, for whoever may give it (V-5). Neither redacted nor escaped yet. */
import { GRANT_SENTENCE } from '@gated-flow/governance';
import type { AskedLeave } from '../governance/approval/asked.js';

/** Lines of a call that are shown. */
const MAX_LINES = 30;

export function leaveText({ stage, tool, nth, arguments: given, target, scope, risks, recovery, rules }: AskedLeave): string {
  const rows: readonly (readonly [string, string])[] = [
    ['stage', stage],
    ['tool', nth === 1 ? tool : `${tool}, for the ${ordinal(nth)} time with the same arguments`],
    ['call', callText(given)],
    ['target', target],
    ['scope', scope],
    ['risk', risks],
    ['recovery', recovery],
    ['rule', rules.join(', ')],
  ];
  const lines = rows.map(([name, text]) => `  ${name.padEnd(8)}   ${bounded(text).replaceAll('\n', `\n${' '.repeat(13)}`)}\n`);
  return `A call needs leave:\n${lines.join('')}${GRANT_SENTENCE}\n`;
}

/** A call that consists of one command is that command. */
function callText(given: unknown): string {
  if (typeof given === 'object' && given !== null && 'command' in given && typeof given.command === 'string') {
    const { command, ...rest } = given;
    return Object.keys(rest).length === 0 ? command : `${command}\n${JSON.stringify(rest)}`;
  }
  return JSON.stringify(given, null, 1) ?? 'null';
}

function bounded(text: string): string {
  const lines = text.split('\n');
  return lines.length <= MAX_LINES ? text : [...lines.slice(0, MAX_LINES), `[${lines.length - MAX_LINES} more lines]`].join('\n');
}

function ordinal(nth: number): string {
  const last = nth % 10;
  const isTeen = nth % 100 > 10 && nth % 100 < 14;
  return `${nth}${isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[last] ?? 'th')}`;
}
