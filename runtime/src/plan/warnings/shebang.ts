/** What a script says it is run by. */
export interface Interpreter {
  /** The program as the shebang spells it: `/bin/sh`, or `python3` behind `env`. */
  readonly spelled: string;
  /** Whether it is looked up on PATH. */
  readonly byPath: boolean;
}

export interface Shebang {
  readonly interpreter: Interpreter | null;
  /** The line ends in a carriage return, which becomes part of the program's name. */
  readonly carriageReturn: boolean;
}

/** Reads the first line of a file's first bytes; null when it is no script. */
export function readShebang(head: Uint8Array): Shebang | null {
  if (head[0] !== 0x23 || head[1] !== 0x21) return null;
  const end = head.indexOf(0x0a);
  const line = new TextDecoder().decode(head.subarray(2, end < 0 ? head.length : end));
  return { interpreter: interpreterOf(line), carriageReturn: line.endsWith('\r') };
}

function interpreterOf(line: string): Interpreter | null {
  const [program, ...rest] = line.trim().split(/\s+/);
  if (!program) return null;
  if (!/(^|\/)env$/.test(program)) return { spelled: program, byPath: !program.includes('/') };
  const named = rest.find((word) => !word.startsWith('-') && !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
  return named === undefined ? null : { spelled: named, byPath: !named.includes('/') };
}
