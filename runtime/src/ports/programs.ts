import type { Containment } from './containment.js';

/** Programs as the runtime starts them: each in its own process group, standard input empty, both outputs on one descriptor (K-7). */
export interface Programs {
  /** Starts, waits, and reports. Never rejects for anything the program does; rejects with a DiskError when the capture cannot be written. */
  run(request: ProgramRequest): Promise<ProgramResult>;
  /** Ends every group still alive that was started with this `owner`, and on Linux every process whose environment has `marker`, or a path below it, as `TMPDIR` or `INPUT` (E-2, L-6). SIGTERM, 5 s, SIGKILL. */
  sweep(owner: string, marker?: string): Promise<void>;
}

export interface ProgramRequest {
  /** The file to exec, or a name on the PATH of `env`. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the output's exact bytes go. Created, or truncated. */
  readonly capture: string;
  /** Past this many bytes the group is killed and the capture cut to the limit. */
  readonly limitBytes: number;
  readonly timeoutMs: number;
  /** Aborting kills the group. */
  readonly stop: AbortSignal;
  /** Whose process this is: names the set that `sweep` ends. */
  readonly owner: string;
  /** Whether what is left of the group when the program exits is ended at once (a gate) or may go on until `sweep` (the agent's shell). */
  readonly leaveBehind?: boolean;
  /** Runs in a sandbox, and whatever it starts ends with it: nothing is left behind (I-13). */
  readonly within?: Containment;
}

/** The first reason wins: a program killed for its time that then exits by the signal is `timeout`. */
export type ProgramEnd =
  | { readonly ended: 'exited'; readonly code: number }
  | { readonly ended: 'signalled'; readonly signal: string }
  | { readonly ended: 'timeout' }
  | { readonly ended: 'overflow' }
  | { readonly ended: 'stopped' }
  | { readonly ended: 'unstartable'; readonly message: string };

export interface ProgramResult {
  readonly end: ProgramEnd;
  /** Bytes in the capture. */
  readonly bytes: number;
  readonly ms: number;
}
