import { isFields } from '../read/values.js';

export type Reply = { readonly ok: true; readonly answer: string; readonly reason: string } | { readonly ok: false };

/** A verdict as the judge was asked for it: one JSON object, at most in one code fence. Anything else is malformed. */
export function readVerdict(text: string): Reply {
  const reply = readObject(text);
  const verdict = reply?.['verdict'];
  return reply && (verdict === 'PASS' || verdict === 'FAIL') ? { ok: true, answer: verdict, reason: reasonOf(reply) } : { ok: false };
}

export function readAnswer(text: string): Reply {
  const reply = readObject(text);
  const answer = reply?.['answer'];
  return reply && typeof answer === 'string' ? { ok: true, answer: answer.trim(), reason: reasonOf(reply) } : { ok: false };
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const inner = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text;
  try {
    const value: unknown = JSON.parse(inner);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function reasonOf(reply: Readonly<Record<string, unknown>>): string {
  return typeof reply['reason'] === 'string' ? reply['reason'].slice(0, 2000) : '';
}
