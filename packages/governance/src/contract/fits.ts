import { type Fields, isFields } from './values.js';

/**
 * Whether a value certainly fits a schema, told without compiling anything: a contract is read at the start of every run and on every
 * call of a host, and nearly every one fits. It knows the keywords that our own schema uses; whatever it does not know does not fit,
 * and a real validator then says what is wrong, if anything is.
 */
export function certainlyFits(schema: unknown, value: unknown): boolean {
  return fits(schema, value, isFields(schema) ? schema : {});
}

function fits(schema: unknown, value: unknown, root: Fields): boolean {
  if (schema === true) return true;
  if (!isFields(schema)) return false;
  return Object.entries(schema).every(([keyword, wanted]) => {
    const judge = JUDGES[keyword];
    return judge !== undefined && judge({ wanted, value, schema, root });
  });
}

interface Judged {
  readonly wanted: unknown;
  readonly value: unknown;
  readonly schema: Fields;
  readonly root: Fields;
}

const ANY = (): boolean => true;

const JUDGES: Readonly<Record<string, (judged: Judged) => boolean>> = {
  ...{ $schema: ANY, $id: ANY, $defs: ANY, title: ANY, description: ANY },
  // They are judged with `if`.
  ...{ then: ANY, else: ANY },
  $ref: ({ wanted, value, root }) => {
    const name = /^#\/\$defs\/([^/~%]+)$/.exec(String(wanted))?.[1];
    return name !== undefined && isFields(root['$defs']) && fits(root['$defs'][name], value, root);
  },
  type: ({ wanted, value }) => TYPES[String(wanted)]?.(value) ?? false,
  const: ({ wanted, value }) => wanted === value,
  enum: ({ wanted, value }) => Array.isArray(wanted) && wanted.includes(value),
  allOf: ({ wanted, value, root }) => Array.isArray(wanted) && wanted.every((schema: unknown) => fits(schema, value, root)),
  if: ({ wanted, value, schema, root }) => fits((fits(wanted, value, root) ? schema['then'] : schema['else']) ?? true, value, root),
  required: ({ wanted, value }) => !isFields(value) || (Array.isArray(wanted) && wanted.every((key) => Object.hasOwn(value, String(key)))),
  properties: ({ wanted, value, root }) =>
    !isFields(value) ||
    (isFields(wanted) && Object.entries(wanted).every(([key, schema]) => !Object.hasOwn(value, key) || fits(schema, value[key], root))),
  additionalProperties: ({ wanted, value, schema, root }) => {
    if (!isFields(value)) return true;
    const known: unknown = schema['properties'];
    const others = Object.keys(value).filter((key) => !isFields(known) || !Object.hasOwn(known, key));
    return wanted === false ? others.length === 0 : others.every((key) => fits(wanted, value[key], root));
  },
  propertyNames: ({ wanted, value, root }) => !isFields(value) || Object.keys(value).every((key) => fits(wanted, key, root)),
  items: ({ wanted, value, root }) => !Array.isArray(value) || value.every((item: unknown) => fits(wanted, item, root)),
  pattern: ({ wanted, value }) => typeof value !== 'string' || new RegExp(String(wanted), 'u').test(value),
  minLength: ({ wanted, value }) => typeof value !== 'string' || [...value].length >= Number(wanted),
  maxLength: ({ wanted, value }) => typeof value !== 'string' || [...value].length <= Number(wanted),
  minimum: ({ wanted, value }) => typeof value !== 'number' || value >= Number(wanted),
  maximum: ({ wanted, value }) => typeof value !== 'number' || value <= Number(wanted),
};

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  array: (value) => Array.isArray(value),
  object: isFields,
};
