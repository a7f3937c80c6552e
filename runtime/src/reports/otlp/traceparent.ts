/** The caller's span, by the W3C's trace context. */
export interface ParentSpan {
  readonly trace: string;
  readonly span: string;
  readonly sampled: boolean;
  readonly state: string | null;
}

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const STATE_MAX = 512;

/** Null when there is none, or none that is valid. */
export function readTraceparent(env: Readonly<Record<string, string | undefined>>): ParentSpan | null {
  const [, version, trace, span, flags, more] = FORM.exec(env['TRACEPARENT']?.trim() ?? '') ?? [];
  if (trace === undefined || span === undefined || (version === '00' && more !== undefined)) return null;
  const state = env['TRACESTATE']?.trim() ?? '';
  const readable = state !== '' && state.length <= STATE_MAX && /^[\x20-\x7e]*$/.test(state);
  return { trace, span, sampled: (Number.parseInt(flags ?? '00', 16) & 1) === 1, state: readable ? state : null };
}
