import type { ToolOutput } from '../agent/tools/tool.js';

/** What is known after a call that was approved. */
export interface Receipt {
  /** The id of the leave that it used up. */
  readonly authorization: string;
  readonly output: ToolOutput;
  /** Milliseconds. */
  readonly ms: number;
  /** Files under `$PWD`, relative to it; null where that is no tree of git. */
  readonly changed: readonly string[] | null;
}

/** As the record keeps it (V-5). */
export interface Postcondition {
  readonly authorization: string;
  /** Of a command that ended by itself; else null. */
  readonly exit: number | null;
  /** The tool said that it failed. */
  readonly error?: true;
  readonly ms: number;
  readonly files_changed: number | null;
  /** The first of them, in name order. */
  readonly files?: readonly string[];
}

const MAX_FILES = 100;

export function receiptOf({ authorization, output, ms, changed }: Receipt): Postcondition {
  return {
    ...{ authorization, exit: output.exit ?? null },
    ...(output.error === true && { error: true }),
    ...{ ms, files_changed: changed?.length ?? null },
    ...(changed !== null && changed.length > 0 && { files: changed.slice(0, MAX_FILES) }),
  };
}
