import type { Refusal } from '@gated-flow/assembly';

export interface RefusalStyle {
  /** Redaction of secrets (S-2); identity when there are none. */
  redact(text: string): string;
}

/** The text form of refusals: code and path, the indented sentence, the fix beside it, a closing line. Safe for a terminal. */
export function refusalText(refusals: readonly Refusal[], style: RefusalStyle): string {
  throw new Error(`${refusals.length} ${style.redact('')}`);
}

/** The document form: `refusals` of `flow check --json` and of a refused `flow run --json`, redacted. */
export function refusalRows(refusals: readonly Refusal[], style: RefusalStyle): readonly Refusal[] {
  return refusals.map((refusal) => ({ ...refusal, message: style.redact(refusal.message) }));
}
