import type { Step } from '@gated-flow/assembly';
import { takeGiven } from '../../given/copy.js';
import type { Given } from '../../stage/scope.js';
import type { Walked } from '../../walk/walk.js';
import type { Born } from '../begin.js';
import type { Machine } from '../machine.js';
import type { RunOptions } from '../options.js';
import { carryOver } from './carry.js';

/** Where a run begins to work, or how it has ended already. */
export type Start = { readonly steps: readonly Step[]; readonly given: readonly Given[] } | { readonly walked: Walked };

/** At the first step with the request, at a stage alone with what it is given, or behind what the run carries over from another one (G-11). Rejects with a DiskError. */
export async function startingPoint(
  steps: readonly Step[],
  { claimed, recorder, request }: Born,
  { options: { carried = [], given }, machine }: { readonly options: RunOptions; readonly machine: Machine },
): Promise<Start> {
  if (given !== undefined) {
    const taken = await takeGiven(given, claimed.folder, machine.disk);
    return taken.ok ? { steps, given: taken.given } : { walked: { ending: taken.ending, stage: steps[0]?.path ?? '', outputs: null } };
  }
  const last = carried.at(-1);
  if (!last) return { steps, given: [request] };
  const over = await carryOver(carried, { disk: machine.disk, recorder, folder: claimed.folder });
  if (!over.ok) return { walked: { ending: over.ending, stage: last.entry, outputs: null } };
  const rest = steps.slice(carried.length);
  if (rest.length > 0) return { steps: rest, given: over.given };
  return { walked: { ending: { cause: 'success', exit: 0 }, stage: last.entry, outputs: over.given } };
}
