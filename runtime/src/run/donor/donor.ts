/** An earlier run that another one is made from: resumed (G-11) or replayed (M-7). Nothing of it is ever written. */
import type { Assembly, Flow, Refusal } from '@gated-flow/assembly';
import type { Difference, RunView } from '@gated-flow/record';
import type { Request } from '../../plan/plan.js';

export interface Donor {
  /** Its own name, as its first line says it. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** What names it on a command line from here. */
  readonly word: string;
  readonly view: RunView;
  readonly request: Request;
  /** The assembly that ran, read from the donor's own copy. */
  readonly assembly: Assembly;
  /** The flow that ran; null when the assembly agent chose (O-2). */
  readonly flow: Flow | null;
}

/** The donor, or why there is none: refused for what it is, or damaged: what it says of itself is not so. */
export type OpenedDonor = { readonly ok: true; readonly donor: Donor } | NoDonor;

export type NoDonor = RefusedDonor | { readonly ok: false; readonly damaged: DamagedDonor };

export interface RefusedDonor {
  readonly ok: false;
  readonly refusals: readonly Refusal[];
}

export interface DamagedDonor {
  readonly run: string;
  /** What names it on a command line from here. */
  readonly word: string;
  readonly differences: readonly Difference[];
}

export function refusedDonor(message: string, fix?: string): RefusedDonor {
  return { ok: false, refusals: [{ code: 'request-invalid', path: 'command', message, ...(fix === undefined ? {} : { fix }) }] };
}
