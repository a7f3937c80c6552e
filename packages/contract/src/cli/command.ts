/** What a command sees of the world. */
export interface CommandIo {
  /** Standard output; resolves when more may be written. */
  out(text: string): Promise<void>;
  /** Standard error. */
  err(text: string): void;
  stdin(): AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** What the whole command is called where a sentence names it. */
  readonly program: string;
}

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What stands for the value in the help: `FILE`. */
  readonly value?: string;
  /** One line, no full stop. */
  readonly about: string;
}

export interface Arguments {
  readonly words: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

/** A command of `agentcontract`: 0 pass, 1 a blocking violation, 2 unusable (C-11). */
export interface CommandModule {
  run(given: Arguments, io: CommandIo): Promise<number>;
}

export interface CommandEntry {
  readonly name: string;
  /** `[contract] <run-log>` */
  readonly takes: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  load(): Promise<CommandModule>;
}

/** Misuse: said in a sentence, exit 2. */
export class Misuse extends Error {
  override readonly name = 'Misuse';
}
