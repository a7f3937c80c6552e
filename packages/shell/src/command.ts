/** One program that a shell text runs, or may run. */
export interface Command {
  /** As written, without quotes and escapes (`/bin/rm`); null when the text does not say what it is (`$X`, a pattern, standard input). */
  readonly program: string | null;
  /** The last segment of `program`'s path: `rm` for `/bin/rm`. */
  readonly name: string | null;
  /** Without quotes and escapes; null where only the running shell knows: expansions, patterns, what `xargs` appends. */
  readonly args: readonly (string | null)[];
  /** The source of the command. */
  readonly text: string;
  readonly redirects: readonly Redirect[];
}

export interface Redirect {
  /** `>`, `>>`, `<`, `>&`, `<<`, `<<<` and so on. */
  readonly op: string;
  /** A file or a descriptor; the given text itself for `<<`, `<<-` and `<<<`; null when only the running shell knows. */
  readonly target: string | null;
}

/** A word of a command: its source, and its value if that is known. */
export interface Argument {
  readonly value: string | null;
  readonly text: string;
  /** A guess in which something of the text itself is left, such as `$X`. */
  readonly uncertain?: boolean;
}

export function commandOf(words: readonly Argument[], redirects: readonly Redirect[]): Command {
  const [first, ...rest] = words;
  const program = first && !first.uncertain ? first.value : null;
  const name = program === null ? null : program.slice(program.lastIndexOf('/') + 1);
  return { program, name, args: rest.map(({ value }) => value), text: words.map(({ text }) => text).join(' '), redirects };
}
