import { join } from 'node:path';
import type { Step } from '@gated-flow/assembly';
import { removeScratch } from '../record/remove-scratch.js';
import type { Given, RunScope } from '../stage/scope.js';
import { walkSequence } from '../walk/sequence.js';
import type { Walked } from '../walk/walk.js';
import { performerOf } from './performer.js';

/** Walks steps of a flow to their end. A `$TMP` that they share is empty at the start and gone afterwards (S-5). */
export async function walkFlow(scope: RunScope, steps: readonly Step[], given: readonly Given[]): Promise<Walked> {
  if (scope.flow.tmp !== 'flow') return walkSequence(steps, { given }, performerOf(scope, undefined));
  const tmp = join(scope.scratch, scope.ports.ids.hex(12));
  try {
    return await walkSequence(steps, { given }, performerOf(scope, tmp));
  } finally {
    await removeScratch(tmp, { disk: scope.ports.disk, recorder: scope.recorder });
  }
}
