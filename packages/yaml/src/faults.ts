/** What is wrong with a YAML text: one sentence, and where, counted from 1. */
export interface YamlFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A fault whose place is still an offset in the text. */
export interface OffsetFault {
  readonly message: string;
  readonly offset: number;
}
