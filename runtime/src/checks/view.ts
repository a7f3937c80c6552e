import { boundedView, isUtf8, type Redactor } from '@gated-flow/text';

/** What an agent reads of a captured text (K-8), in bytes of UTF-8. */
export const AGENT_BYTES = 10_000;
/** What a reason in the record and on a terminal holds. */
export const TERMINAL_BYTES = 2_048;

export interface Views {
  readonly agent: string;
  readonly terminal: string;
}

/** Both views of a captured text (K-8). */
export function viewsOf(captured: Uint8Array, redactor: Redactor): Views {
  const clean = withoutSecrets(captured, redactor);
  return { agent: boundedView(clean, AGENT_BYTES), terminal: boundedView(clean, TERMINAL_BYTES) };
}

export function terminalView(captured: Uint8Array, redactor: Redactor): string {
  return boundedView(withoutSecrets(captured, redactor), TERMINAL_BYTES);
}

/** Secrets go before anything is cut, so that no half of one survives a cut (S-2). */
function withoutSecrets(captured: Uint8Array, redactor: Redactor): Uint8Array {
  if (!isUtf8(captured)) return captured;
  const text = Buffer.from(captured.buffer, captured.byteOffset, captured.byteLength).toString('utf8');
  const clean = redactor.text(text);
  return clean === text ? captured : Buffer.from(clean);
}
