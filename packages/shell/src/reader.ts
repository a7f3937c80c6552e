import type { Command } from './command.js';

export type ShellResult = { readonly ok: true; readonly commands: readonly Command[] } | { readonly ok: false; readonly message: string };

export interface ShellReader {
  /**
   * Every simple command of a bash or POSIX shell text, in order, an outer one before those inside it (V-3, A-16): also in
   * pipes, lists, compound commands, functions and substitutions, and behind programs that start another one (`sudo`,
   * `xargs`, `find -exec`, `bash -c`). A program that runs commands nobody can know adds one whose program is null. Quoted
   * words, comments and here-documents of text are no commands. Not ok when the text or a text inside it cannot be parsed.
   * Never runs anything.
   */
  read(text: string, options?: ReadOptions): Promise<ShellResult>;
}

export interface ReadOptions {
  /**
   * Also what probably runs, for rules that look for what is dangerous: variables have the values that the text assigns somewhere,
   * aliases and functions that start their arguments are followed, and a shell reads what `echo`, `printf` and `cat` write into
   * it. An argument then is never null for an expansion: what is not known stands there as it is written. The text of a command
   * whose program is null is followed by the statement around it. Not for lists of what is allowed.
   */
  readonly guess?: boolean;
}

/** Linux gives a program no argument longer than this, so a longer text could not be run by `sh -c`. */
const MAX_BYTES = 128 * 1024;

/** Loads the parsers, which is slow (tens of milliseconds): call it when the first shell text is there. */
export async function loadShellReader(): Promise<ShellReader> {
  const [{ parse }, { commandsOf }] = await Promise.all([import('sh-syntax'), import('./read.js')]);
  return {
    async read(text, options = {}) {
      if (Buffer.byteLength(text) > MAX_BYTES) return { ok: false, message: 'The shell text is longer than 128 KiB.' };
      if (text.includes('\0')) return { ok: false, message: 'The shell text contains a zero byte.' };
      try {
        // sh-syntax is the stricter judge of the syntax; its tree has statements only, so another parser gives the words.
        await parse(text);
      } catch (error) {
        return { ok: false, message: `The shell text cannot be parsed: ${error instanceof Error ? error.message : String(error)}.` };
      }
      return commandsOf(text, options);
    },
  };
}
