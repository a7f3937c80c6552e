import { compilePattern } from '@gated-flow/patterns';
import { isObject } from '../../json.js';
import { demandsOf, type Demands } from './demands.js';
import { patternWriter } from './pattern.js';
import { textFor } from './texts.js';
import { generous, NOTHING, type Spot } from './attempt.js';

/** An object with the keys that are required, and the declared ones where there is room for them. */
export function objectFor(demands: Demands, spot: Spot): unknown {
  const required = brought(demands.required, demands);
  const object = new Map<string, unknown>();
  for (const key of [...namedKeys(demands, required, spot), ...inventedKeys(demands, spot)]) {
    const must = required.has(key);
    const wanted =
      hasRoom(demands, required, object) && (object.size < demands.fewestProperties || (demands.properties.has(key) && generous(spot)));
    if (object.has(key) || !(must || wanted)) continue;
    const value = allowed(key, demands) ? spot.attempt.value(schemasOf(key, demands), { ...spot, depth: spot.depth + 1 }) : NOTHING;
    if (value !== NOTHING) object.set(key, value);
    else if (must) return NOTHING;
  }
  return Object.fromEntries(object);
}

/** The required keys and everything that they bring along. */
function brought(required: ReadonlySet<string>, demands: Demands): ReadonlySet<string> {
  const keys = new Set(required);
  for (let before = -1; before < keys.size;) {
    before = keys.size;
    for (const [key, more] of demands.dependentRequired) if (keys.has(key)) for (const each of more) keys.add(each);
  }
  return keys;
}

/** Declared keys first, in the order of the schema. Optional ones that bring others along or change the schema are left out. */
function namedKeys(demands: Demands, required: ReadonlySet<string>, spot: Spot): readonly string[] {
  const simple = (key: string): boolean =>
    ![...demands.dependentRequired, ...demands.dependentSchemas].some(([trigger]) => trigger === key);
  const optional = generous(spot) || demands.fewestProperties > 0;
  const declared = [...demands.properties.keys()].filter((key) => required.has(key) || (optional && simple(key)));
  return [...declared, ...required];
}

/** Whether an optional key fits beside the required ones that are still to come. */
function hasRoom(demands: Demands, required: ReadonlySet<string>, object: ReadonlyMap<string, unknown>): boolean {
  if (demands.mostProperties === Infinity) return true;
  return object.size + [...required].filter((key) => !object.has(key)).length < demands.mostProperties;
}

/** Names for objects that need more keys than are declared, or that declare none but say what a key looks like. */
function inventedKeys(demands: Demands, spot: Spot): readonly string[] {
  const count = Math.min(demands.fewestProperties, 1000);
  const names = demands.propertyNames.length > 0 ? demandsOf(demands.propertyNames, spot.attempt) : undefined;
  return Array.from({ length: count * 2 }, (_, nth) => {
    if (names?.values !== undefined) return String(names.values[nth % names.values.length]);
    if (names !== undefined) return textFor(names, nth);
    const [pattern] = demands.patternProperties[0] ?? [];
    const written = pattern === undefined ? undefined : patternWriter(pattern)?.({ extra: nth + 1, nth });
    return written ?? `rehearsal${nth + 1}`;
  });
}

function allowed(key: string, demands: Demands): boolean {
  return demands.closures.every(({ keys, patterns }) => keys.has(key) || patterns.some((pattern) => matches(pattern, key)));
}

function schemasOf(key: string, demands: Demands): readonly unknown[] {
  const named = demands.properties.get(key) ?? [];
  const patterned = demands.patternProperties.filter(([pattern]) => matches(pattern, key)).map(([, schema]) => schema);
  const all = [...named, ...patterned];
  return all.length > 0 ? all : demands.otherProperties.filter((schema) => isObject(schema) || schema === false);
}

function matches(pattern: string, key: string): boolean {
  const compiled = compilePattern(pattern);
  return compiled.ok && compiled.pattern.test(key) === true;
}
