/** Looks at data whose shape the schema has already judged; what does not fit is as if it were not there. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((each) => (typeof each === 'string' ? [each] : []));
}

/** The value when it is one of the words, else undefined. */
export function oneOf<T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value);
}

/** What has no JSON is its name: a value must not be taken for an empty text. */
export function jsonOf(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  return text ?? String(value);
}
