import { execa, type Options } from 'execa';
import type { Clock } from '../../ports/clock.js';
import type { ProgramEnd, ProgramRequest } from '../../ports/programs.js';
import { containedCommand } from './contained.js';
import { explainUnstartable } from './unstartable.js';

/** A program that runs. Its pid is its process group. */
export interface Running {
  readonly group: number;
  /** Settles when the program itself is gone, whoever still holds its descriptors. */
  readonly exited: Promise<ProgramEnd>;
}

/** A file that was written a moment ago can still be open for writing in a process just forked. */
const BUSY_WAITS = [5, 20, 80, 200];

/** Starts the program as leader of its own group, standard input empty, both outputs on `fd`. */
export async function start(request: ProgramRequest, fd: number, clock: Clock): Promise<Running | ProgramEnd> {
  for (const wait of [...BUSY_WAITS, null]) {
    const command = commandOf(request, fd);
    const child = execa(command.file, command.args, optionsOf(command));
    if (child.pid !== undefined) return { group: child.pid, exited: child.then((result) => command.judge(endOf(result))) };
    command.judge(UNBORN);
    const result = await child;
    if (result.code !== 'ETXTBSY' || wait === null) return { ended: 'unstartable', message: explainUnstartable(request, result.code) };
    await clock.sleep(wait, request.stop);
  }
  return { ended: 'unstartable', message: explainUnstartable(request, 'ETXTBSY') };
}

const UNBORN: ProgramEnd = { ended: 'stopped' };

/** A process to start, and what its end means. `judge` is called once. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The descriptors from standard output on. */
  readonly outputs: readonly number[];
  judge(end: ProgramEnd): ProgramEnd;
}

function commandOf(request: ProgramRequest, fd: number): Command {
  if (request.within) return containedCommand(request, request.within, fd);
  const { file, args, cwd, env } = request;
  return { file, args, cwd, env, outputs: [fd, fd], judge: (end) => end };
}

function optionsOf({ cwd, env, outputs }: Command) {
  // execa passes any open descriptor on, but its types name only some.
  const descriptors: object = { stdio: ['ignore', ...outputs] };
  return {
    cwd,
    env,
    extendEnv: false,
    detached: true,
    reject: false,
    buffer: false,
    cleanup: false,
    verbose: 'none',
    ...descriptors,
  } satisfies Options;
}

function endOf(result: { readonly exitCode?: number; readonly signal?: string }): ProgramEnd {
  if (result.signal !== undefined) return { ended: 'signalled', signal: result.signal };
  return { ended: 'exited', code: result.exitCode ?? 0 };
}
