/** A place in a text, counted from 1. */
export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a YAML text: one sentence, and where, counted from 1. */
export interface YamlFault extends YamlPlace {
  readonly message: string;
}

/** A fault whose place is still an offset in the text. */
export interface OffsetFault {
  readonly message: string;
  readonly offset: number;
}
