/** What a front matter key accepts. `accept` gives undefined for a value that it refuses. */
export interface ValueRule<T> {
  /** Continues the sentence "It takes …". */
  readonly takes: string;
  accept(value: unknown): T | undefined;
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER, unit = ''): ValueRule<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    takes: `a whole number${unit && ` of ${unit}`} ${range}`,
    accept: (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined),
  };
}

export function word<const T extends string>(words: readonly T[]): ValueRule<T> {
  return { takes: `one of ${words.join(', ')}`, accept: (value) => words.find((each) => each === value) };
}

export const yesOrNo: ValueRule<boolean> = {
  takes: 'true or false',
  accept: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** One line of text that is not blank. The line break that a YAML block leaves at the end is dropped. */
export const oneLine: ValueRule<string> = {
  takes: 'one line of text',
  accept: (value) => {
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' || /[\n\r\u2028\u2029\0]/u.test(text) ? undefined : text;
  },
};

export const listOfNames: ValueRule<readonly string[]> = {
  takes: 'a list of names, such as [INPUT, PWD]',
  accept: (value) => (Array.isArray(value) && value.every(isName) ? value : undefined),
};

/** A folder's name may have white space in it. */
export const listOfFolders: ValueRule<readonly string[]> = {
  takes: 'a list of names of top-level folders, such as [docs, node_modules]',
  accept: (value) => (Array.isArray(value) && value.every((name) => oneLine.accept(name) !== undefined) ? value : undefined),
};

export const mapping: ValueRule<Readonly<Record<string, unknown>>> = {
  takes: 'a map of keys to values',
  accept: (value) => (isRecord(value) ? value : undefined),
};

/** A relative path inside the working tree that cannot climb out of it (A-15). */
export const relativePath: ValueRule<string> = {
  takes: 'a relative path inside the working tree, without ".."',
  accept: (value) => {
    const text = oneLine.accept(value);
    if (text === undefined || text.startsWith('/') || text.includes('\\')) return undefined;
    return text.split('/').includes('..') ? undefined : text;
  },
};

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^\S+$/u.test(value);
}
