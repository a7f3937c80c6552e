import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certainlyFits } from '../src/contract/fits.js';
import { GOVERNANCE_SCHEMA } from '../src/index.js';

const TEMPLATE: unknown = JSON.parse(
  readFileSync(new URL('../templates/adapter-contract/governance.contract.json', import.meta.url), 'utf8'),
);
const validate = new Ajv2020({ strict: false, ownProperties: true }).compile(GOVERNANCE_SCHEMA);

type Place = readonly (string | number)[];

function placesIn(value: unknown, at: Place = []): readonly Place[] {
  const inner =
    typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, one]) => placesIn(one, [...at, key])) : [];
  return [at, ...inner];
}

function altered(value: unknown, place: Place, change: (value: unknown) => unknown): unknown {
  const [first, ...rest] = place;
  if (first === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one: unknown, index) => (String(index) === String(first) ? altered(one, rest, change) : one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, key === first ? altered(one, rest, change) : one]));
}

const CHANGES: readonly ((value: unknown) => unknown)[] = [
  () => null,
  () => 7,
  () => 1.5,
  () => -1,
  () => '',
  () => ' ',
  () => 'x'.repeat(5_000),
  () => [],
  () => ({}),
  () => true,
  () => 'require_approval',
  (value) => [value],
  (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, more: 1 } : value),
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).slice(1)) : value,
];

describe('[V-1] what certainly fits the schema', () => {
  it('[V-1] is what the schema allows, wherever the template is changed', () => {
    const places = placesIn(TEMPLATE);
    const seen = { fit: 0, unfit: 0 };
    for (const place of places) {
      for (const change of CHANGES) {
        const value = altered(TEMPLATE, place, change);
        const expected = validate(value);
        expect([place, certainlyFits(GOVERNANCE_SCHEMA, value)]).toEqual([place, expected]);
        seen[expected ? 'fit' : 'unfit'] += 1;
      }
    }
    expect(seen.fit).toBeGreaterThan(50);
    expect(seen.unfit).toBeGreaterThan(500);
  });

  it('[V-1] is what the schema allows, for anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(certainlyFits(GOVERNANCE_SCHEMA, value)).toBe(validate(value));
      }),
    );
  });

  it('[V-1] is nothing where a keyword is not known', () => {
    expect(certainlyFits({ type: 'string', format: 'email' }, 'a@b')).toBe(false);
    expect(certainlyFits({ $ref: 'https://elsewhere/x' }, 1)).toBe(false);
    expect(certainlyFits({ $ref: '#/$defs/none' }, 1)).toBe(false);
  });
});
