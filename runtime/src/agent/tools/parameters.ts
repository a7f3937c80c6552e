/**
 * A tool's parameters, written once: they give the JSON Schema that the model is shown and the reader that checks
 * what it sends. Small on purpose, so that no schema compiler is loaded for a handful of flat objects.
 */
export interface Parameters<T> {
  /** JSON Schema, an object type that allows no other property. */
  readonly schema: object;
  read(input: unknown): { readonly ok: true; readonly value: T } | Faulty;
}

export interface Faulty {
  readonly ok: false;
  readonly faults: readonly string[];
}

/** One property: its schema, whether it must be there, and what is wrong with a value (null when nothing is). */
export interface Property<T> {
  readonly schema: object;
  readonly required: boolean;
  read(value: unknown): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly wants: string };
}

export function text(description: string): Property<string> {
  return {
    schema: { type: 'string', description },
    required: true,
    read: (value) => (typeof value === 'string' ? { ok: true, value } : { ok: false, wants: 'must be a string' }),
  };
}

/** An integer of at least `minimum`. */
export function whole(description: string, minimum: number): Property<number> {
  return {
    schema: { type: 'integer', minimum, description },
    required: true,
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum
        ? { ok: true, value }
        : { ok: false, wants: `must be a whole number of at least ${minimum}` },
  };
}

/** A number greater than zero. */
export function positive(description: string): Property<number> {
  return {
    schema: { type: 'number', exclusiveMinimum: 0, description },
    required: true,
    read: (value) =>
      typeof value === 'number' && Number.isFinite(value) && value > 0
        ? { ok: true, value }
        : { ok: false, wants: 'must be a number greater than 0' },
  };
}

/** One of a few words. */
export function choice<const W extends string>(description: string, words: readonly W[]): Property<W> {
  return {
    schema: { type: 'string', enum: words, description },
    required: true,
    read(value) {
      const word = words.find((one) => one === value);
      return word === undefined
        ? { ok: false, wants: `must be one of ${words.map((one) => `"${one}"`).join(', ')}` }
        : { ok: true, value: word };
    },
  };
}

/** May be left out; a null counts as left out. */
export function optional<T>(property: Property<T>): Property<T | undefined> {
  return {
    schema: property.schema,
    required: false,
    read: (value) => (value === undefined || value === null ? { ok: true, value: undefined } : property.read(value)),
  };
}

type Properties = Readonly<Record<string, Property<unknown>>>;
type Values<P> = { readonly [K in keyof P]: P[K] extends Property<infer T> ? T : never };

/** An object with exactly these properties. All faults are found at once. */
export function parameters<P extends Properties>(properties: P): Parameters<Values<P>>;
export function parameters(properties: Properties): Parameters<unknown> {
  const entries = Object.entries(properties);
  const required = entries.filter(([, property]) => property.required).map(([name]) => name);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, property]) => [name, property.schema])),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    read(input) {
      if (!isObject(input)) return { ok: false, faults: ['they must be an object'] };
      const faults: string[] = [];
      const values: Record<string, unknown> = {};
      for (const [name, property] of entries) {
        const given = Object.hasOwn(input, name) ? input[name] : undefined;
        if (given === undefined && property.required) {
          faults.push(`\`${name}\` is required`);
          continue;
        }
        const read = property.read(given);
        if (read.ok) values[name] = read.value;
        else faults.push(`\`${name}\` ${read.wants}`);
      }
      for (const name of Object.keys(input)) if (!Object.hasOwn(properties, name)) faults.push(`\`${name}\` is not a parameter`);
      return faults.length === 0 ? { ok: true, value: values } : { ok: false, faults };
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
