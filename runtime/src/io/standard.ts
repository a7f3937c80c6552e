import { randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { createRedactor, secretValues } from '@gated-flow/text';
import type { Io } from '../cli/command.js';
import { mayColor, mayRepaint } from '../cli/color.js';
import { guarded, isJob, type JobLog } from '../cli/job-log.js';
import type { Log } from '../ports/log.js';
import { openConfigs } from './home-config.js';

/** The process's own streams, environment and place. */
export interface Standard {
  readonly io: Io;
  /** Waits until both outputs are drained, then ends the process. A full or broken standard output makes a success a fault. */
  readonly leave: (exitCode: number) => Promise<never>;
}

/** Null when it was removed under the shell that stands in it, or cannot be named any more. */
export function workingFolder(process: NodeJS.Process): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

export function openStandard(process: NodeJS.Process, cwd: string): Standard {
  const { stdout, stderr, env } = process;
  const closed = new AbortController();
  let broken: string | null = null;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') broken ??= error.code ?? error.message;
    closed.abort();
  });
  stderr.on('error', () => {});

  const io: Io = {
    out: (bytes) => (closed.signal.aborted ? Promise.resolve() : written(stdout, bytes)),
    err: (text) => void stderr.write(text),
    stdin: () => process.stdin,
    env,
    redactor: createRedactor(secretValues(env, [])),
    readConfig: openConfigs(),
    cwd,
    inIsTerminal: isatty(0),
    outIsTerminal: stdout.isTTY === true,
    errIsTerminal: stderr.isTTY === true,
    outColor: mayColor(env, stdout.isTTY === true),
    errColor: mayColor(env, stderr.isTTY === true),
    // A terminal that says it has no room (a pseudo-terminal nobody sized) cannot be repainted.
    errLive: mayRepaint(env, stderr.isTTY === true) && stderr.columns > 0 && stderr.rows > 0,
    width: stdout.columns || stderr.columns || 80,
    outClosed: closed.signal,
    log: SILENT,
  };

  return {
    io: isJob(env) ? guarded(io, jobLog(stderr)) : io,
    async leave(exitCode) {
      await written(stdout, '');
      if (broken !== null) stderr.write(`Standard output could not be written: ${broken}.\n`);
      await written(stderr, '');
      process.exit(broken !== null && exitCode === 0 ? 2 : exitCode);
    },
  };
}

/** A runner reads standard error before standard output, but each on its own: it gets a second. */
const READ_MS = 1_000;

function jobLog(stderr: NodeJS.WriteStream): JobLog {
  return {
    command: (text) => void stderr.write(text),
    outIsFile: isFile(1),
    async stop() {
      await written(stderr, `::stop-commands::${randomBytes(16).toString('hex')}\n`);
      await new Promise((resolve) => setTimeout(resolve, READ_MS));
    },
  };
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** Resolves when the bytes were taken, or can never be. */
function written(stream: NodeJS.WriteStream, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write(bytes, () => resolve());
  });
}

const nothing = (): void => {};
export const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
