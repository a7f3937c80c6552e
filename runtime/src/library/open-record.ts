import type { KeyObject } from 'node:crypto';
import { join, resolve } from 'node:path';
import { RECORD, readRecord, type Reading, type RecordEvent, type RunView, type Verdict, verifyRun } from '@gated-flow/record';
import { readRun } from '../record/read-run.js';

/** A run's folder, opened for reading. Nothing in it is ever written. */
export interface OpenRecord {
  /** What the record says, and in what state it is. `view` is null when it does not even begin. */
  read(): Promise<{ readonly view: RunView | null; readonly reading: Reading }>;
  /** Every event in order, in flat memory. Ends at the first line that is none; `read` says why. */
  events(): AsyncGenerator<RecordEvent>;
  /** Whether anything was changed since the run was sealed, and what. */
  verify(options?: { readonly publicKey?: KeyObject }): Promise<Verdict>;
}

/** Opens `<home>/runs/<run>`, or a copy of it anywhere. Its methods reject when the folder holds no record that can be read. */
export function openRecord(folder: string): OpenRecord {
  const at = resolve(folder);
  return {
    read: () => readRun(at),
    async *events() {
      for await (const lines of readRecord(join(at, RECORD)).pieces) {
        for (const { event } of lines) if (event !== null) yield event;
      }
    },
    verify: (options = {}) => verifyRun(at, options),
  };
}
