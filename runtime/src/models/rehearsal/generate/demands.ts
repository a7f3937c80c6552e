import { isObject, own, type JsonObject } from '../../json.js';
import type { References } from './references.js';

/** What a value has to be, gathered from schemas that all hold for it. Subschemas stay as they are written. */
export interface Demands {
  /** Undefined when any type will do. */
  types: readonly string[] | undefined;
  /** The values of `enum` and `const`; undefined when there is neither. */
  values: readonly unknown[] | undefined;
  /** Nothing satisfies this. */
  impossible: boolean;
  least: number;
  most: number;
  above: number;
  below: number;
  readonly multiples: number[];
  shortest: number;
  longest: number;
  readonly patterns: string[];
  format: string | undefined;
  readonly properties: Map<string, unknown[]>;
  readonly patternProperties: (readonly [string, unknown])[];
  /** For keys that nothing else names. */
  readonly otherProperties: unknown[];
  /** Each closed object schema: the keys and patterns that it allows. */
  readonly closures: { readonly keys: ReadonlySet<string>; readonly patterns: readonly string[] }[];
  readonly required: Set<string>;
  readonly propertyNames: unknown[];
  fewestProperties: number;
  mostProperties: number;
  /** Key → the keys that it brings along. */
  readonly dependentRequired: (readonly [string, readonly string[]])[];
  readonly dependentSchemas: (readonly [string, unknown])[];
  readonly prefix: unknown[][];
  readonly items: unknown[];
  readonly contains: { readonly schema: unknown; readonly least: number }[];
  fewestItems: number;
  mostItems: number;
  unique: boolean;
}

export interface Gathering {
  readonly references: References;
  /** Which of several ways to take. */
  readonly choose: (ways: readonly unknown[]) => unknown;
}

/** Everything that the schemas ask of one value, with one way taken through each `anyOf`, `oneOf` and `if`. */
export function demandsOf(schemas: readonly unknown[], gathering: Gathering): Demands {
  const demands = noDemands();
  for (const schema of schemas) gather(schema, demands, gathering, 0);
  for (const [key, schema] of demands.dependentSchemas) {
    if (demands.required.has(key)) gather(schema, demands, gathering, 0);
  }
  return demands;
}

function noDemands(): Demands {
  return {
    ...{ types: undefined, values: undefined, impossible: false, format: undefined, unique: false },
    ...{ least: -Infinity, most: Infinity, above: -Infinity, below: Infinity, multiples: [] },
    ...{ shortest: 0, longest: Infinity, patterns: [] },
    ...{ properties: new Map(), patternProperties: [], otherProperties: [], closures: [], required: new Set(), propertyNames: [] },
    ...{ fewestProperties: 0, mostProperties: Infinity, dependentRequired: [], dependentSchemas: [] },
    ...{ prefix: [], items: [], contains: [], fewestItems: 0, mostItems: Infinity },
  };
}

/** A chain of references longer than this goes in a circle. */
const LONGEST_CHAIN = 64;

function gather(schema: unknown, demands: Demands, gathering: Gathering, chain: number): void {
  if (schema === false || chain > LONGEST_CHAIN) demands.impossible = true;
  if (!isObject(schema) || chain > LONGEST_CHAIN) return;
  const more = (next: unknown): void => gather(next, demands, gathering, chain + 1);
  for (const key of ['$ref', '$dynamicRef']) {
    const reference = own(schema, key);
    if (typeof reference === 'string') more(gathering.references.follow(reference, schema));
  }
  gatherValues(schema, demands);
  gatherBounds(schema, demands);
  gatherObject(schema, demands);
  gatherArray(schema, demands);
  for (const each of listIn(schema, 'allOf')) more(each);
  for (const key of ['anyOf', 'oneOf']) {
    const ways = listIn(schema, key);
    if (ways.length > 0) more(gathering.choose(ways));
  }
  for (const each of conditional(schema, gathering)) more(each);
}

/** Either the condition and its `then`, or the `else` alone: whether the condition then fails is found out by validating. */
function conditional(schema: JsonObject, { choose }: Gathering): readonly unknown[] {
  const condition = own(schema, 'if');
  if (condition === undefined) return [];
  const met = { allOf: [condition, own(schema, 'then') ?? true] };
  const unmet = { allOf: [own(schema, 'else') ?? true] };
  return [choose([unmet, met])];
}

function gatherValues(schema: JsonObject, demands: Demands): void {
  const type = own(schema, 'type');
  const types = typeof type === 'string' ? [type] : listIn(schema, 'type').filter((each) => typeof each === 'string');
  if (types.length > 0) demands.types = demands.types === undefined ? types : commonTypes(demands.types, types);
  if (demands.types?.length === 0) demands.impossible = true;
  const values = Object.hasOwn(schema, 'const')
    ? [schema['const']]
    : Array.isArray(own(schema, 'enum'))
      ? listIn(schema, 'enum')
      : undefined;
  if (values !== undefined) demands.values = demands.values === undefined ? values : common(demands.values, values);
  const format = own(schema, 'format');
  if (typeof format === 'string') demands.format = format;
}

function commonTypes(left: readonly string[], right: readonly string[]): readonly string[] {
  const covers = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  return [...new Set([...left, ...right])].filter((type) => covers(left, type) && covers(right, type));
}

function common(left: readonly unknown[], right: readonly unknown[]): readonly unknown[] {
  const known = new Set(right.map((value) => JSON.stringify(value)));
  return left.filter((value) => known.has(JSON.stringify(value)));
}

function gatherBounds(schema: JsonObject, demands: Demands): void {
  const least = (key: string, before: number): number => Math.max(before, numberIn(schema, key) ?? before);
  const most = (key: string, before: number): number => Math.min(before, numberIn(schema, key) ?? before);
  demands.above = least('exclusiveMinimum', demands.above);
  demands.below = most('exclusiveMaximum', demands.below);
  demands.least = Math.max(least('minimum', demands.least), demands.above);
  demands.most = Math.min(most('maximum', demands.most), demands.below);
  demands.shortest = least('minLength', demands.shortest);
  demands.longest = most('maxLength', demands.longest);
  demands.fewestProperties = least('minProperties', demands.fewestProperties);
  demands.mostProperties = most('maxProperties', demands.mostProperties);
  demands.fewestItems = least('minItems', demands.fewestItems);
  demands.mostItems = most('maxItems', demands.mostItems);
  const multiple = numberIn(schema, 'multipleOf');
  if (multiple !== undefined && multiple > 0) demands.multiples.push(multiple);
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') demands.patterns.push(pattern);
}

function gatherObject(schema: JsonObject, demands: Demands): void {
  const properties = Object.entries(objectIn(schema, 'properties'));
  const patterns = Object.entries(objectIn(schema, 'patternProperties'));
  for (const [key, value] of properties) demands.properties.set(key, [...(demands.properties.get(key) ?? []), value]);
  demands.patternProperties.push(...patterns);
  for (const key of listIn(schema, 'required')) if (typeof key === 'string') demands.required.add(key);
  const other = own(schema, 'additionalProperties') ?? own(schema, 'unevaluatedProperties');
  if (other !== undefined) demands.otherProperties.push(other);
  if (own(schema, 'additionalProperties') === false) {
    demands.closures.push({ keys: new Set(properties.map(([key]) => key)), patterns: patterns.map(([pattern]) => pattern) });
  }
  const names = own(schema, 'propertyNames');
  if (names !== undefined) demands.propertyNames.push(names);
  for (const [key, value] of Object.entries(objectIn(schema, 'dependentRequired'))) {
    if (Array.isArray(value)) demands.dependentRequired.push([key, value.filter((each) => typeof each === 'string')]);
  }
  demands.dependentSchemas.push(...Object.entries(objectIn(schema, 'dependentSchemas')));
}

function gatherArray(schema: JsonObject, demands: Demands): void {
  listIn(schema, 'prefixItems').forEach((item, index) => {
    demands.prefix[index] = [...(demands.prefix[index] ?? []), item];
  });
  const items = own(schema, 'items') ?? own(schema, 'unevaluatedItems');
  if (items !== undefined) demands.items.push(items);
  const contains = own(schema, 'contains');
  if (contains !== undefined) demands.contains.push({ schema: contains, least: numberIn(schema, 'minContains') ?? 1 });
  if (own(schema, 'uniqueItems') === true) demands.unique = true;
}

function listIn(schema: JsonObject, key: string): readonly unknown[] {
  const value = own(schema, key);
  return Array.isArray(value) ? value : [];
}

function objectIn(schema: JsonObject, key: string): JsonObject {
  const value = own(schema, key);
  return isObject(value) ? value : {};
}

function numberIn(schema: JsonObject, key: string): number | undefined {
  const value = own(schema, key);
  return typeof value === 'number' ? value : undefined;
}
