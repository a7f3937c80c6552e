import type { ServerResponse } from 'node:http';
import type { Said, Wire } from './wires.mjs';

type Reply = (response: ServerResponse) => unknown;

export interface Trouble {
  readonly kind: string;
  /** What comes before the turn at which it happens. */
  readonly replies?: (wire: Wire) => Reply[];
  readonly instead?: (wire: Wire, said: Said) => Reply;
  readonly retries?: number | ((wire: Wire) => number);
  readonly status?: number;
  /** The least and the most that a retry waits, in milliseconds. */
  readonly delay?: readonly [number, number];
  readonly more?: true;
  readonly attempts?: number;
  readonly timeout?: number;
  readonly ends?: { readonly cause: string; readonly exit: number; readonly says: RegExp; readonly retries?: number };
}

export const KEY: string;
export const FLOW: { readonly 'STAGE.md': (timeout: number) => string; readonly 'gate.sh': string };
export const TROUBLES: readonly Trouble[];
export function repliesOf(wire: Wire, trouble: Partial<Trouble>, at: number): Reply[];
