import { createGuard } from '../reports/github/guard.js';
import type { Io } from './command.js';

/** The log of a job in GitHub Actions, which obeys commands in what is written to it (I-7). */
export interface JobLog {
  /** Writes workflow commands, which are obeyed. */
  command(text: string): void;
  /** Whether standard output is a file, which nothing obeys. */
  readonly outIsFile: boolean;
  /** From here to the end of the step no line is obeyed. Resolves when the log has had time to read that. */
  stop(): Promise<void>;
}

/** Whether the process is a step of such a job. */
export function isJob(env: Io['env']): boolean {
  return env['GITHUB_ACTIONS'] === 'true';
}

/**
 * No text that is printed through it is a command: what would be one is shown with its first character escaped. Bytes pass as they
 * are (see `printBytes`), and so does all that goes into a file.
 */
export function guarded(io: Io, job: JobLog): Io {
  const [out, err] = [createGuard(), createGuard()];
  return {
    ...io,
    out: (bytes) => io.out(typeof bytes === 'string' && !job.outIsFile ? out(bytes) : bytes),
    err: (text) => io.err(err(text)),
    job,
  };
}
