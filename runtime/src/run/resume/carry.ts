/** What a resumed run takes over from the one it continues, copied into its own folder before anything runs (G-11, R-9). */
import { join } from 'node:path';
import type { SealedFile, Sourced } from '@gated-flow/record';
import type { Disk } from '../../ports/disk.js';
import type { Recorder } from '../../record/recorder.js';
import type { Ending } from '../../stage/decide.js';
import { fault } from '../../stage/ending.js';
import type { Given } from '../../stage/scope.js';

/** One step of the root sequence that is not run again. */
export interface CarriedEntry {
  /** Its path in the flow. */
  readonly entry: string;
  /** The run that sealed it last: the donor's name. */
  readonly from: string;
  /** What it hands on, in the order in which it was handed on; never empty. */
  readonly outputs: readonly CarriedOutput[];
}

export interface CarriedOutput {
  /** The stage that sealed it: of a container, the last one of each way through it. */
  readonly stage: string;
  readonly repeat?: number;
  /** The name under which the next step receives it. */
  readonly name: string;
  /** Absolute path of the donor's bytes. */
  readonly source: string;
  /** The same place in the new run, and the hash that the bytes must have. */
  readonly file: SealedFile;
  /** The options that the stage ran with. */
  readonly options: Readonly<Record<string, Sourced>>;
}

export interface CarryPorts {
  readonly disk: Pick<Disk, 'copy'>;
  readonly recorder: Pick<Recorder, 'append' | 'sync'>;
  /** The new run's folder: absolute. */
  readonly folder: string;
}

/** What the first step that runs is given, or why the run ends before it. */
export type CarriedOver = { readonly ok: true; readonly given: readonly Given[] } | { readonly ok: false; readonly ending: Ending };

/** Copies every carried output, durably, records it, and answers what the last of the entries hands on. Rejects with a DiskError. */
export async function carryOver(entries: readonly CarriedEntry[], { disk, recorder, folder }: CarryPorts): Promise<CarriedOver> {
  let given: readonly Given[] = [];
  for (const { entry, from, outputs } of entries) {
    for (const { stage, repeat, name, source, file, options } of outputs) {
      const { sha256 } = await disk.copy(source, join(folder, file.path), { durable: true });
      if (sha256 !== file.sha256) return { ok: false, ending: fault(`${file.path} of the run ${from} changed while it was carried over.`) };
      const where = { stage, ...(repeat === undefined ? {} : { repeat }) };
      recorder.append({ event: 'stage_carried', ...where, from, output: file, entry, name, of: outputs.length, options });
    }
    given = outputs.map(({ name, file }) => ({ name, file: join(folder, file.path), sha256: file.sha256 }));
  }
  await recorder.sync();
  return { ok: true, given };
}
