export type JsonObject = Readonly<Record<string, unknown>>;

/** An object that is no list: what `JSON.parse` gives for `{…}`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The key's own value; an inherited one, such as `constructor`, is none. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** What a text says as JSON; undefined when it is none. */
export function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
