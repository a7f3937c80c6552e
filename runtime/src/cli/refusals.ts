import type { Refusal } from '@gated-flow/assembly';
import { escapeControls, escapeName, type Redactor } from '@gated-flow/text';
import { paint } from './color.js';

export interface TextStyle {
  readonly redactor: Redactor;
  readonly color: boolean;
  /** Columns. */
  readonly width: number;
}

const INDENT = '    ';

/** The text form of refusals: code and path, the sentences, the fix, and how many. Redacted, and safe for a terminal. */
export function refusalText(refusals: readonly Refusal[], style: TextStyle): string {
  const { bold, red } = paint(style.color);
  const widest = Math.max(0, ...refusals.map(({ code }) => code.length));
  const lines = refusals.flatMap((refusal) => {
    const { code, path, message, fix } = redacted(refusal, style.redactor);
    return [`${red(code)}${' '.repeat(widest - code.length + 3)}${bold(escapeName(path))}`, ...withFix(message, fix, style.width)];
  });
  const count = refusals.length === 1 ? '1 fault' : `${refusals.length} faults`;
  return [...lines, `${count}: nothing was run.`, ''].join('\n');
}

function redacted({ code, path, message, fix }: Refusal, redactor: Redactor): Refusal {
  return { code, path: redactor.text(path), message: redactor.text(message), ...(fix === undefined ? {} : { fix: redactor.text(fix) }) };
}

/** The fix beside the sentence where both fit, else below it. */
function withFix(message: string, fix: string | undefined, width: number): string[] {
  const sentences = escapeControls(message)
    .split('\n')
    .map((line) => INDENT + line);
  if (fix === undefined) return sentences;
  const command = INDENT + escapeControls(fix);
  const last = sentences.at(-1) ?? '';
  return sentences.length === 1 && last.length + command.length <= Math.max(width, 100) ? [last + command] : [...sentences, command];
}
