import { join } from 'node:path';
import type { Executable } from '@gated-flow/assembly';
import type { Digest } from '../ports/disk.js';
import type { ProgramResult } from '../ports/programs.js';
import type { Ending } from '../stage/decide.js';
import { fault } from '../stage/ending.js';
import { inRun, type StageScope } from '../stage/scope.js';

/** Past this much output a gate or hook is broken (K-8). */
const CAPTURE_BYTES = 16 * 1024 * 1024;

export interface Execution {
  readonly executable: Executable;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stop: AbortSignal;
  /** Absolute. */
  readonly capture: string;
}

export type Executed = ProgramResult & {
  /** Relative to the run's folder. */
  readonly capture: string;
  readonly captured: Digest;
};

/** Runs a gate or hook from the run's own copy, with its own fresh clock (K-7, K-12). The caller has looked for drift. */
export async function execute(scope: StageScope, { executable, args, env, stop, capture }: Execution): Promise<Executed> {
  const { ports, options } = scope;
  const result = await ports.programs.run({
    file: join(scope.copy, executable.path),
    args,
    cwd: scope.pwd,
    env,
    capture,
    limitBytes: CAPTURE_BYTES,
    timeoutMs: options.timeout.value * 1_000,
    stop,
    owner: scope.owner,
  });
  return { ...result, capture: inRun(scope.folder, capture), captured: await ports.disk.hash(capture) };
}

/** Records every file that is no longer what the assembly was read as; the ending names the first (K-10). Null when all is as it was. */
export async function driftOf(scope: StageScope, executable: Executable): Promise<Ending | null> {
  const drifted = await scope.pristine.compare(executable);
  for (const drift of drifted) scope.recorder.append({ event: 'hash_drift', ...scope.where, ...drift });
  const [first] = drifted;
  return first === undefined ? null : fault(`${first.file} is not what it was when the run began.`, first.file);
}

/** Compares the output with what it was when the round began, and ends the run when it differs (K-11). */
export async function outputDrift(scope: StageScope, expected: string): Promise<Ending | null> {
  const { disk } = scope.ports;
  const standing = await disk.look(scope.output);
  const found = standing?.kind === 'file' ? (await disk.hash(scope.output)).sha256 : 'absent';
  return found === expected ? null : outputDrifted(scope, { expected, found });
}

export function outputDrifted(scope: StageScope, { expected, found }: { expected: string; found: string }): Ending {
  scope.recorder.append({ event: 'hash_drift', ...scope.where, file: '$OUTPUT', expected, found });
  return fault('$OUTPUT was changed after it had been judged.', '$OUTPUT');
}
