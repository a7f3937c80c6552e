/** What a script of `sed` does besides editing. */
export interface SedScript {
  /** It has a command `e`, or a flag `e`: what it edits is run by a shell. */
  readonly runs: boolean;
  /** Files that it reads or writes by itself. */
  readonly files: readonly string[];
}

/** The script of `sed 's/a/b/' file` or `sed -e … -e …`; undefined where it cannot be told. */
export function sedScript(words: readonly string[]): SedScript | undefined {
  const given = words.flatMap((word, i) => {
    if (/^--expression=/.test(word)) return [word.slice('--expression='.length)];
    if (/^(?:-[a-zA-Z]*e|--expression)$/.test(word)) return [words[i + 1] ?? ''];
    return /^-e./.test(word) ? [word.slice(2)] : [];
  });
  const script = given.length > 0 ? given.join('\n') : words.find((word) => !word.startsWith('-'));
  return script === undefined ? undefined : readScript(script);
}

const ADDRESS = /(?:\d+(?:~\d+)?|\$|[,+~!\s])/y;
const LINE = /(?:[^\\\n]|\\[\s\S])*/y;

/** From command to command; undefined at the first that is none. */
function readScript(script: string): SedScript | undefined {
  const files: string[] = [];
  let runs = false;
  let at = 0;
  const lastBracket = script.lastIndexOf(']');
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const part = (delimiter: string): void => {
    let inBrackets = false;
    for (; at < script.length && (inBrackets || script[at] !== delimiter); at++) {
      if (script[at] === '\\') at++;
      else if (script[at] === '[') inBrackets = lastBracket >= at + 2;
      else if (script[at] === ']') inBrackets = false;
    }
    at++;
  };
  const parts = (most: number): void => {
    const delimiter = script[at] ?? '';
    at++;
    for (let count = 0; count < most; count++) part(delimiter);
  };
  const address = (): void => {
    for (let before = -1; before !== at;) {
      before = at;
      if (take(ADDRESS) !== '') continue;
      if (script[at] === '\\') at++;
      else if (script[at] !== '/') continue;
      parts(1);
      take(/[IM]*/y);
    }
  };
  while (at < script.length) {
    take(/[\s;{}]+/y);
    address();
    const command = script[at] ?? '';
    at++;
    if (command === 's') {
      parts(2);
      const flags = take(/[gpiImM0-9e]*/y);
      runs ||= flags.includes('e');
      if (take(/w/y) !== '') files.push(take(/[^\n]*/y).trim());
    } else if (command === 'y') parts(2);
    else if (command === 'e') {
      runs = true;
      take(/[^\n]*/y);
    } else if (/^[rRwW]$/.test(command)) files.push(take(/[^\n]*/y).trim());
    else if (/^[aic]$/.test(command)) take(LINE);
    else if (/^[btT:vqQlL]$/.test(command)) take(/[^\n;}]*/y);
    else if (command === '#') take(/[^\n]*/y);
    else if (command !== '' && !/^[=dDgGhHnNpPxzF{}]$/.test(command)) return undefined;
  }
  return { runs, files: files.filter((file) => file !== '') };
}
