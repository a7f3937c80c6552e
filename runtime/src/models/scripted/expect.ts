import { compilePattern } from '@gated-flow/patterns';
import { cutText } from '@gated-flow/text';
import type { Message } from '../../ports/model.js';

/** What must occur in the newest messages. `written` is the text as the script says it. */
export interface Expectation {
  readonly written: string;
  /** `timed-out` when an expression did not come to an end within its limit. */
  readonly occursIn: (text: string) => boolean | 'timed-out';
}

/** A text between two slashes is a regular expression, anything else occurs as it is written. */
export function readExpectation(
  written: string,
): { readonly ok: true; readonly expect: Expectation } | { readonly ok: false; readonly message: string } {
  const source = /^\/([\s\S]+)\/$/.exec(written)?.[1];
  if (source === undefined) return { ok: true, expect: { written, occursIn: (text) => text.includes(written) } };
  const compiled = compilePattern(source);
  if (!compiled.ok) return compiled;
  return { ok: true, expect: { written, occursIn: (text) => compiled.pattern.test(text) } };
}

/** What the model was given since its last turn: user texts and tool results in their order, joined by newlines. */
function newestText(messages: readonly Message[]): string {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  return messages
    .slice(last + 1)
    .flatMap(textsOf)
    .join('\n');
}

function textsOf(message: Message): readonly string[] {
  if (message.role === 'user') return [message.text];
  return message.role === 'tool' ? message.results.map((result) => result.output) : [];
}

const SHOWN_BYTES = 800;

/** Null when the expectation is met; else both texts, cut, for the ending's reason. */
export function unmet(expect: Expectation, messages: readonly Message[], line: number): string | null {
  const newest = newestText(messages);
  const occurs = expect.occursIn(newest);
  if (occurs === true) return null;
  const why = occurs === 'timed-out' ? 'Matching it took too long.' : 'It did not occur there.';
  return `script:${line} expects in the newest messages:\n${shown(expect.written)}\n${why} The newest messages were:\n${shown(newest)}`;
}

function shown(text: string): string {
  const head = cutText(text, SHOWN_BYTES);
  const left = Buffer.byteLength(text) - Buffer.byteLength(head);
  return left > 0 ? `${head}\n(${left} more bytes)` : head;
}
