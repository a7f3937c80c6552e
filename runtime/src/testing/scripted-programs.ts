import type { Disk } from '../ports/disk.js';
import type { ProgramEnd, ProgramRequest, Programs } from '../ports/programs.js';

/** One program that is expected to be started next. */
export interface ProgramStep {
  /** The file, or the end of its path. */
  readonly file: string;
  readonly args?: readonly string[];
  /** Default: exit 0. */
  readonly end?: ProgramEnd;
  /** What it prints. */
  readonly output?: string | Uint8Array;
  /** What else it does: looks at its request, writes files, lets time pass. */
  readonly does?: (request: ProgramRequest) => void | Promise<void>;
  readonly ms?: number;
}

export interface ScriptedPrograms extends Programs {
  /** All requests so far, in order. */
  readonly requests: readonly ProgramRequest[];
  readonly sweeps: readonly { readonly owner: string; readonly marker?: string }[];
  /** Throws when a step was never reached. */
  finish(): void;
}

/** Programs that follow a script: a start that is not the next step rejects, and captures go to `disk`. */
export function createScriptedPrograms(disk: Disk, steps: readonly ProgramStep[]): ScriptedPrograms {
  const requests: ProgramRequest[] = [];
  const sweeps: { owner: string; marker?: string }[] = [];
  return {
    requests,
    sweeps,
    async run(request) {
      const step = steps[requests.length];
      if (!step) throw new Error(`Nothing more was expected to start, but ${told(request)} did.`);
      if (!fits(step, request))
        throw new Error(`Expected ${told({ file: step.file, args: step.args ?? [] })} to start, but ${told(request)} did.`);
      requests.push(request);
      await step.does?.(request);
      const printed = Buffer.from(step.output ?? '');
      const kept = printed.subarray(0, request.limitBytes);
      await disk.write(request.capture, kept);
      const over = printed.length > request.limitBytes;
      return { end: over ? { ended: 'overflow' } : (step.end ?? { ended: 'exited', code: 0 }), bytes: kept.length, ms: step.ms ?? 0 };
    },
    async sweep(owner, marker) {
      sweeps.push(marker === undefined ? { owner } : { owner, marker });
    },
    finish() {
      const left = steps.slice(requests.length);
      if (left.length > 0) throw new Error(`Expected to start but never did: ${left.map(({ file }) => file).join(', ')}.`);
    },
  };
}

function fits({ file, args }: ProgramStep, request: ProgramRequest): boolean {
  if (request.file !== file && !request.file.endsWith(`/${file}`)) return false;
  return args === undefined || (args.length === request.args.length && args.every((arg, i) => arg === request.args[i]));
}

function told({ file, args }: Pick<ProgramRequest, 'file' | 'args'>): string {
  return [file, ...args].join(' ');
}
