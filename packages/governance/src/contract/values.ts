/** Looks at data whose shape the schema has already judged; what does not fit is as if it were not there. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property that is an object; an empty one when it is not there. */
export function fieldsIn(fields: Fields, key: string): Fields {
  const value = own(fields, key);
  return isFields(value) ? value : {};
}

export function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

export function textIn(fields: Fields, key: string): string | undefined {
  const value = own(fields, key);
  return typeof value === 'string' ? value : undefined;
}

export function listIn(fields: Fields, key: string): readonly unknown[] {
  const value = own(fields, key);
  return Array.isArray(value) ? value : [];
}

export function textsIn(fields: Fields, key: string): readonly string[] {
  return listIn(fields, key).flatMap((value) => (typeof value === 'string' ? [value] : []));
}

/** The value when it is one of the words. */
export function wordIn<T extends string>(fields: Fields, key: string, words: readonly T[]): T | undefined {
  const value = own(fields, key);
  return words.find((word) => word === value);
}
