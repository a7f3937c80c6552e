/**
 * What a command of the command line is, and what the outside world looks like to it.
 *
 * A command lives in one file `cli/NAME.ts` that exports `command: CommandModule`; `cli/commands.ts` lists it with its
 * one-line summary and the import that loads it, so that only the named command's code is read at start-up.
 * The module composes its own command: it may import adapters from `../io/`.
 */
import type { Command } from 'commander';
import type { Redactor } from '@gated-flow/text';
import type { ReadConfig } from '../plan/config/load.js';
import type { Log } from '../ports/log.js';
import type { JobLog } from './job-log.js';

export interface CommandModule {
  /**
   * Adds arguments, options and an `addHelpText('after', examples)` to a command that has its name and summary already,
   * and sets its action. The action ends by calling `done(exitCode)`; what it throws is reported once by `main`, exit 2.
   * `--home DIR`, `--log-level LEVEL` and `--log-file FILE` are on every command: read them with `command.opts()`.
   */
  build(command: Command, io: Io, done: (exitCode: number) => void): void;
  /** Rewrites what was typed after the command's name before it is parsed. Pure. */
  spell?(words: readonly string[], command: Command): string[];
}

/** A row of the visible table of commands. */
export interface CommandEntry {
  readonly name: string;
  /** One line, no full stop. */
  readonly summary: string;
  load(): Promise<CommandModule>;
}

export interface Io {
  /**
   * Standard output. Resolves once more may be written without piling up in memory; always await it.
   * A reader that went away is quiet: the bytes are dropped and `outClosed` aborts (I-4).
   */
  out(bytes: string | Uint8Array): Promise<void>;
  /** Standard error: progress, notices, faults. Ends with a newline when the text does. */
  err(text: string): void;
  /** Opens standard input. Nothing is read, and nothing keeps the process alive, before this is called (O-3). */
  stdin(): AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Masks what no command may show: secrets by the names of their variables, and those that the home's `redact` list names (S-2). */
  readonly redactor: Redactor;
  /** What a home says. It is read when something first asks, and once however many ask. */
  readonly readConfig: ReadConfig;
  /** Absolute. */
  readonly cwd: string;
  readonly inIsTerminal: boolean;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Whether standard output may be coloured: `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb` and the terminal together (I-3). */
  readonly outColor: boolean;
  /** The same for standard error. */
  readonly errColor: boolean;
  /** Whether standard error may be repainted: a terminal that is neither dumb nor a CI job's. */
  readonly errLive: boolean;
  /** Columns; 80 when unknown. */
  readonly width: number;
  /** Aborts when the reader of standard output has gone. */
  readonly outClosed: AbortSignal;
  /** The runtime's own log: silent unless `--log-level` or `--log-file` asked for it. Never mixed with output. */
  readonly log: Log;
  /** In a job of GitHub Actions, whose log obeys what is written to it; absent elsewhere (I-7). */
  readonly job?: JobLog;
}
