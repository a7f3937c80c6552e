/** Work of an earlier run, as a stage sees it (G-12). */
import type { Mark } from '../../agent/control/control.js';
import type { Intelligence } from '../../plan/plan.js';
import type { Fingerprint } from '../../ports/fingerprint.js';
import type { ModelIdentity } from './shape.js';

export interface Reuse {
  /** What every shape of this run says. */
  readonly runtime: string;
  /** What tells the model of a stage from every other; `fixture` is what a rehearsal writes. Null when nothing does. */
  modelOf(intelligence: Intelligence | null, fixture: Uint8Array | null): ModelIdentity | null;
  /** Of everything at and below an absolute path. */
  fingerprint(path: string): Promise<Fingerprint>;
  /** The work that an earlier run left for a shape, proven by its record. Rejects with a DiskError. */
  find(shape: string): Promise<Found>;
  /** Notes that this run sealed such work. Rejects with a DiskError. */
  remember(shape: string, work: SealedWork): Promise<void>;
  /** Lets nobody find it again. Rejects with a DiskError. */
  forget(shape: string): Promise<void>;
}

export interface SealedWork {
  readonly stage: string;
  readonly repeat?: number;
  /** Of the sealed output. */
  readonly sha256: string;
}

export type Found = { readonly found: 'work'; readonly earlier: Earlier } | { readonly found: 'none'; readonly why: string };

export interface Earlier {
  /** The run's name. */
  readonly run: string;
  /** Absolute, real path of the sealed output in that run's folder. */
  readonly file: string;
  /** What its bytes must be. */
  readonly sha256: string;
  /** Item → the mark that counted when it was sealed. */
  readonly marks: ReadonlyMap<number, Mark>;
}
