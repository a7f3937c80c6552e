import type { Where } from '@gated-flow/record';
import { type Disk, DiskError } from '../ports/disk.js';
import type { Recorder } from './recorder.js';

/** Removes a scratch folder; a clean-up that fails is recorded and changes nothing (S-5). Rejects with a DiskError when that cannot be recorded. */
export async function removeScratch(
  path: string,
  { disk, recorder }: { readonly disk: Pick<Disk, 'remove'>; readonly recorder: Pick<Recorder, 'append'> },
  where: Where = {},
): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    recorder.append({ event: 'tmp_teardown', ...where, reason: `${error.operation}: ${error.code}` });
  }
}
