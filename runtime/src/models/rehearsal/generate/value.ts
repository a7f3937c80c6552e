import { isObject } from '../../json.js';
import { FULL_DEPTH, NOTHING, type Attempt, type Spot } from './attempt.js';
import { demandsOf, type Demands } from './demands.js';
import { numberFor } from './numbers.js';
import { textFor } from './texts.js';
import { listFor } from './lists.js';
import { objectFor } from './objects.js';

const DEEPEST = 60;
const GIVEN_UP = -4_000;

/** A value that all the schemas accept, as far as it can be made without looking at it as a whole. */
export function valueFor(schemas: readonly unknown[], spot: Spot): unknown {
  spot.attempt.budget -= 1;
  if (spot.depth > DEEPEST || spot.attempt.budget < GIVEN_UP) return NOTHING;
  const demands = demandsOf(schemas, spot.attempt);
  if (demands.impossible) return NOTHING;
  const nth = spot.nth + spot.attempt.shift();
  if (demands.values !== undefined) return listed(demands, demands.values, nth);
  switch (typeFor(demands, spot)) {
    case 'null':
      return null;
    case 'boolean':
      return nth % 2 === 0;
    case 'integer':
      return numberFor(demands, true, nth);
    case 'number':
      return numberFor(demands, false, nth);
    case 'array':
      return listFor(demands, spot);
    case 'object':
      return objectFor(demands, spot);
    default:
      return rememberedText(demands, nth, spot.attempt);
  }
}

function rememberedText(demands: Demands, nth: number, { texts }: Attempt): string {
  const asked = JSON.stringify([demands.patterns, demands.format, demands.shortest, demands.longest, nth]);
  const text = texts.get(asked) ?? textFor(demands, nth);
  texts.set(asked, text);
  return text;
}

function listed(demands: Demands, values: readonly unknown[], nth: number): unknown {
  const { types } = demands;
  const fitting = types === undefined ? values : values.filter((value) => types.some((type) => isOfType(value, type)));
  return fitting.length === 0 ? NOTHING : fitting[nth % fitting.length];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function typeFor(demands: Demands, spot: Spot): string {
  const { types } = demands;
  if (types === undefined) return impliedType(demands);
  const scalar = types.find((type) => type !== 'object' && type !== 'array');
  if (spot.depth >= FULL_DEPTH && scalar !== undefined) return scalar;
  return types[spot.nth % types.length] ?? 'string';
}

function impliedType(demands: Demands): string {
  if (demands.properties.size + demands.required.size + demands.patternProperties.length + demands.fewestProperties > 0) return 'object';
  if (demands.otherProperties.length + demands.propertyNames.length > 0) return 'object';
  if (demands.items.length + demands.prefix.length + demands.contains.length + demands.fewestItems > 0 || demands.unique) return 'array';
  if (demands.patterns.length > 0 || demands.shortest > 0 || demands.format !== undefined) return 'string';
  if (demands.least !== -Infinity || demands.most !== Infinity || demands.multiples.length > 0) return 'number';
  return 'string';
}
