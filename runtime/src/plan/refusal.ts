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

type Values<R> = { readonly [K in keyof R]: R[K] extends Resolved<infer T> ? T : never };

/** All of them, or every refusal of every one. */
export function all<const R extends Readonly<Record<string, Resolved<unknown>>>>(parts: R): Resolved<Values<R>> {
  const refusals = Object.values(parts).flatMap(refusalsOf);
  if (refusals.length > 0) return refused(...refusals);
  return found(Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, part.ok ? part.value : undefined])) as Values<R>);
}

export function refusalsOf(part: Resolved<unknown>): readonly Refusal[] {
  return part.ok ? [] : part.refusals;
}

/** What is needed, or nothing is. */
export function unless(refusals: readonly Refusal[]): Resolved<null> {
  return refusals.length === 0 ? found(null) : refused(...refusals);
}
