import { isObject, own } from '../../json.js';
import { seededRandom } from './random.js';
import { referencesOf } from './references.js';
import { NOTHING, type Attempt } from './attempt.js';
import { valueFor } from './value.js';

export interface Fault {
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

export interface Generated {
  readonly value: unknown;
  /** What the validator still finds wrong with the value; empty when it satisfies the schema. */
  readonly faults: readonly Fault[];
}

export interface Subject {
  /** JSON Schema, dialect 2020-12. */
  readonly schema: unknown;
  /** The same seed gives the same value. */
  readonly seed: string;
  readonly validate: (value: unknown) => readonly Fault[];
}

const ATTEMPTS = 100;
const VALUES_EACH = 2000;

/**
 * A value that satisfies the schema, judged by the real validator. Ways through `anyOf`, `oneOf` and `if` are tried:
 * the first ones with everything that is declared, the first ones with only what is required, then others.
 * When no attempt is accepted, the one with the fewest faults is given, with them.
 */
export function generate({ schema, seed, validate }: Subject): Generated {
  const references = referencesOf(schema);
  const random = seededRandom(seed);
  const texts = new Map<string, string>();
  let best: Generated | undefined;
  for (let count = 0; count < ATTEMPTS; count += 1) {
    const choose = CHOICES[count] ?? ((ways: readonly unknown[]) => ways[random(ways.length)]);
    const shift = count < CHOICES.length ? () => 0 : () => (random(3) < 2 ? 0 : random(5));
    const attempt: Attempt = { references, choose, shift, texts, value: valueFor, full: count % 2 === 0, budget: VALUES_EACH };
    const value = valueFor([schema], { attempt, depth: 0, nth: 0 });
    if (value === NOTHING) continue;
    const faults = validate(value);
    if (faults.length === 0) return { value, faults };
    if (best === undefined || faults.length < best.faults.length) best = { value, faults };
  }
  return best ?? { value: null, faults: [{ pointer: '', message: 'no value was found that this schema could accept' }] };
}

const CHOICES: readonly Attempt['choose'][] = [(ways) => ways[0], plainest, plainest, (ways) => ways[0]];

/** The first way, or the first that refers to nothing: references are where schemas recurse. */
function plainest(ways: readonly unknown[]): unknown {
  return ways.find((way) => !isObject(way) || own(way, '$ref') === undefined) ?? ways[0];
}
