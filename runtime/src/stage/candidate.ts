import { extname, join } from 'node:path';
import type { SealedFile } from '@gated-flow/record';
import { outputDrifted } from '../checks/output-drift.js';
import type { Ending, StageFact } from './decide.js';
import { inRun, type StageScope } from './scope.js';

/** The folder of an attempt in the record: absolute. */
export function attemptFolder(scope: StageScope, attempt: number): string {
  return join(scope.place, String(attempt));
}

/** Keeps what the agent left in this attempt, sealed or not: nothing that a run produced is lost. Null when there is nothing, and always for a selection. */
export async function keepCandidate(scope: StageScope, attempt: number, durable = false): Promise<SealedFile | null> {
  const { disk } = scope.ports;
  if (scope.select || (await disk.look(scope.output))?.kind !== 'file') return null;
  const to = join(attemptFolder(scope, attempt), `output${extname(scope.output)}`);
  const { sha256, bytes } = await disk.copy(scope.output, to, { durable });
  return { path: inRun(scope.folder, to), sha256, bytes };
}

/** Seals: the bytes are copied into the record, durably, and must be the ones that were judged (K-11). */
export async function seal(
  scope: StageScope,
  attempt: number,
  judged: string,
): Promise<{ readonly fact: StageFact; readonly kept: SealedFile | null }> {
  const kept = await keepCandidate(scope, attempt, true);
  if (kept?.sha256 === judged) return { fact: { fact: 'sealed' }, kept };
  const ending: Ending = outputDrifted(scope, { expected: judged, found: kept?.sha256 ?? null });
  return { fact: { fact: 'ended', ending }, kept };
}
