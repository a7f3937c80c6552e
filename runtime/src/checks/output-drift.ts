import type { Ending } from '../stage/decide.js';
import { fault } from '../stage/ending.js';
import type { StageScope } from '../stage/scope.js';

/** SHA-256 of what stands at `$OUTPUT`; null when that is no regular file. */
export async function hashOutput({ ports: { disk }, output }: StageScope): Promise<string | null> {
  const standing = await disk.look(output);
  return standing?.kind === 'file' ? (await disk.hash(output)).sha256 : null;
}

/** Compares the output with what it was when the round began, and ends the run when it differs (K-11). */
export async function outputDrift(scope: StageScope, expected: string): Promise<Ending | null> {
  const found = await hashOutput(scope);
  return found === expected ? null : outputDrifted(scope, { expected, found });
}

/** Records the drift; `found` is null when no regular file stands there any more. */
export function outputDrifted(scope: StageScope, { expected, found }: { expected: string; found: string | null }): Ending {
  scope.recorder.append({ event: 'hash_drift', ...scope.where, file: '$OUTPUT', expected, found: found ?? 'absent' });
  return fault('$OUTPUT was changed after it had been judged.', '$OUTPUT');
}
