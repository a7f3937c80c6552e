import { join } from 'node:path';
import type { Executable } from '@gated-flow/assembly';
import type { ProgramEvidence } from '@gated-flow/record';
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
  const { ports, options, sandbox } = scope;
  const programs = sandbox === null ? ports.programs : sandbox.executable(ports.programs, executable);
  const result = await programs.run({
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

/** What the record says of every program that judged or prepared something. */
export function evidenceOf({ name, sha256 }: Executable, { end, ms, capture, captured }: Executed): ProgramEvidence {
  return {
    file: name,
    exit: end.ended === 'exited' ? end.code : null,
    capture,
    capture_sha256: captured.sha256,
    sha256,
    ms: Math.round(ms),
    ...(end.ended === 'overflow' ? { overflow: true } : {}),
  };
}
