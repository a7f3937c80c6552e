import type { Refusal } from '@gated-flow/assembly';

/** Something that is there, or the refusals that say why it is not. */
export type Resolved<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusals: readonly Refusal[] };

export function found<T>(value: T): Resolved<T> {
  return { ok: true, value };
}

export function refused(...refusals: readonly Refusal[]): { readonly ok: false; readonly refusals: readonly Refusal[] } {
  return { ok: false, refusals };
}

/** A fault in what was typed about the request (O-3). */
export function requestInvalid(message: string, fix?: string): Refusal {
  return { code: 'request-invalid', path: 'request', message, ...(fix === undefined ? {} : { fix }) };
}

/** A fault in what else was typed. */
export function commandInvalid(code: Refusal['code'], message: string, fix?: string): Refusal {
  return { code, path: 'command', message, ...(fix === undefined ? {} : { fix }) };
}

/** The refusals of all parts, in order. */
export function refusalsOf(...parts: readonly Resolved<unknown>[]): readonly Refusal[] {
  return parts.flatMap((part) => (part.ok ? [] : part.refusals));
}
