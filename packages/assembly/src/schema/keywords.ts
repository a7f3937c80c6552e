/** The keywords of JSON Schema 2020-12 and what each takes: the dialect's own meta-schema as a table, so that none has to be compiled. */
import { isRecord } from '../read/values.js';

/** `one`, `list` and `map` hold schemas; `value` is judged by its rule. */
export type Keyword =
  { readonly holds: 'one' | 'list' | 'map' } | { readonly holds: 'value'; readonly takes: string; fits(value: unknown): boolean };

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const text = value('a string', (found) => typeof found === 'string');
const anchor = value(
  'a name of letters, digits, "-", "." and "_"',
  (found) => typeof found === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/u.test(found),
);
const yesOrNo = value('true or false', (found) => typeof found === 'boolean');
const number = value('a number', (found) => typeof found === 'number');
const count = value('a whole number of at least 0', (found) => Number.isInteger(found) && Number(found) >= 0);
const list = value('a list', (found) => Array.isArray(found));
const names = value('a list of different strings', isNames);

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  $id: value('a reference without a fragment', (found) => typeof found === 'string' && /^[^#]*#?$/u.test(found)),
  $schema: text,
  $ref: text,
  $anchor: anchor,
  $dynamicRef: text,
  $dynamicAnchor: anchor,
  $vocabulary: value('an object', isRecord),
  $comment: text,
  $defs: { holds: 'map' },
  definitions: { holds: 'map' },
  additionalProperties: { holds: 'one' },
  allOf: { holds: 'list' },
  anyOf: { holds: 'list' },
  contains: { holds: 'one' },
  contentSchema: { holds: 'one' },
  dependentSchemas: { holds: 'map' },
  else: { holds: 'one' },
  if: { holds: 'one' },
  items: { holds: 'one' },
  not: { holds: 'one' },
  oneOf: { holds: 'list' },
  patternProperties: { holds: 'map' },
  prefixItems: { holds: 'list' },
  properties: { holds: 'map' },
  propertyNames: { holds: 'one' },
  then: { holds: 'one' },
  unevaluatedItems: { holds: 'one' },
  unevaluatedProperties: { holds: 'one' },
  contentEncoding: text,
  contentMediaType: text,
  dependentRequired: value('an object of lists of different strings', (found) => isRecord(found) && Object.values(found).every(isNames)),
  deprecated: yesOrNo,
  description: text,
  enum: list,
  examples: list,
  exclusiveMaximum: number,
  exclusiveMinimum: number,
  format: text,
  maxContains: count,
  maximum: number,
  maxItems: count,
  maxLength: count,
  maxProperties: count,
  minContains: count,
  minimum: number,
  minItems: count,
  minLength: count,
  minProperties: count,
  multipleOf: value('a number greater than 0', (found) => typeof found === 'number' && found > 0),
  pattern: text,
  readOnly: yesOrNo,
  required: names,
  title: text,
  type: value(`one of ${TYPES.join(', ')}, or a list of different ones`, isType),
  uniqueItems: yesOrNo,
  writeOnly: yesOrNo,
};

/** Words that the validator knows and 2020-12 does not. An unknown keyword is ignored, so they are taken out. */
export const FOREIGN: readonly string[] = [
  '$async',
  '$recursiveAnchor',
  '$recursiveRef',
  '$schema',
  'dependencies',
  'discriminator',
  'id',
  'nullable',
];

function value(takes: string, fits: (value: unknown) => boolean): Keyword {
  return { holds: 'value', takes, fits };
}

function isType(found: unknown): boolean {
  if (!Array.isArray(found)) return TYPES.some((type) => type === found);
  return found.length > 0 && isNames(found) && found.every((each) => TYPES.some((type) => type === each));
}

function isNames(found: unknown): boolean {
  return Array.isArray(found) && found.every((each) => typeof each === 'string') && new Set(found).size === found.length;
}
