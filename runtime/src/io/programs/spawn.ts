import { execa, type Options } from 'execa';
import type { Clock } from '../../ports/clock.js';
import type { ProgramEnd, ProgramRequest } from '../../ports/programs.js';
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
    const child = execa(request.file, request.args, optionsOf(request, fd));
    if (child.pid !== undefined) return { group: child.pid, exited: child.then(endOf) };
    const result = await child;
    if (result.code !== 'ETXTBSY' || wait === null) return { ended: 'unstartable', message: explainUnstartable(request, result.code) };
    await clock.sleep(wait, request.stop);
  }
  return { ended: 'unstartable', message: explainUnstartable(request, 'ETXTBSY') };
}

function optionsOf(request: ProgramRequest, fd: number) {
  // execa passes any open descriptor on, but its types name only some.
  const descriptors: object = { stdio: ['ignore', fd, fd] };
  return {
    cwd: request.cwd,
    env: request.env,
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
