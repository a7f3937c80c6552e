import { boundedView, isUtf8, type Redactor } from '@gated-flow/text';

/** What an agent reads of a captured text (K-8), in bytes of UTF-8. */
const AGENT_BYTES = 10_000;
/** What a reason in the record and on a terminal holds. */
const TERMINAL_BYTES = 2_048;

export function agentView(captured: Uint8Array, redactor: Redactor): string {
  return view(captured, AGENT_BYTES, redactor);
}

export function terminalView(captured: Uint8Array, redactor: Redactor): string {
  return view(captured, TERMINAL_BYTES, redactor);
}

/** Secrets go before anything is cut, so that no half of one survives a cut (S-2). */
function view(captured: Uint8Array, bytes: number, redactor: Redactor): string {
  if (!isUtf8(captured)) return boundedView(captured, bytes);
  return boundedView(Buffer.from(redactor.text(Buffer.from(captured).toString('utf8'))), bytes);
}
