import fc from 'fast-check';
import { compileSchema } from '@gated-flow/assembly';
import { describe, expect, it } from 'vitest';
import { generate, type Generated } from '../../src/models/rehearsal/generate/generate.js';

async function generated(schema: object | boolean, seed = '01-data'): Promise<Generated> {
  const validator = await compileSchema({ kind: 'json', path: 'schema.json', text: '', schema });
  return generate({ schema, seed, validate: (value) => validator.validate(value) });
}

const text = { type: 'string' };
const node = {
  type: 'object',
  required: ['name'],
  properties: { name: text, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
};

const SATISFIABLE: Readonly<Record<string, object | boolean>> = {
  'anything at all': true,
  'nothing said': {},
  'a type': { type: 'integer' },
  'one of several types': { type: ['null', 'boolean'] },
  'an enum': { enum: ['low', 'high'] },
  'an enum narrowed by a type': { type: 'integer', enum: ['low', 2, null] },
  'a const': { const: { a: [1] } },
  'a declared object': {
    type: 'object',
    required: ['word'],
    properties: { word: { type: 'string', minLength: 3 }, score: { type: 'number' } },
    additionalProperties: false,
  },
  'a required key that is not declared': { type: 'object', required: ['a', '__proto__', 'constructor'] },
  'additional properties of a schema': { type: 'object', required: ['a'], additionalProperties: { type: 'integer', minimum: 10 } },
  'keys by pattern': {
    type: 'object',
    minProperties: 2,
    patternProperties: { '^x-[a-z]+$': { type: 'boolean' } },
    additionalProperties: false,
  },
  'names of keys': { type: 'object', minProperties: 3, propertyNames: { pattern: '^[A-Z]{2}[0-9]$' } },
  'names from a list': { type: 'object', minProperties: 2, propertyNames: { enum: ['north', 'south'] } },
  'at most so many keys': { type: 'object', maxProperties: 1, required: ['b'], properties: { a: text, b: text, c: text } },
  'keys that bring others': {
    type: 'object',
    required: ['card'],
    properties: { card: text },
    dependentRequired: { card: ['address'], address: ['town'] },
  },
  'a schema that a key brings': {
    type: 'object',
    required: ['card'],
    properties: { card: text },
    dependentSchemas: { card: { required: ['limit'], properties: { limit: { type: 'integer', minimum: 5 } } } },
  },
  'a property that must not be': { type: 'object', properties: { a: false, b: text } },
  'closed by unevaluatedProperties': {
    allOf: [{ type: 'object', required: ['a'], properties: { a: text } }],
    unevaluatedProperties: false,
  },
  'a list': { type: 'array', items: { type: 'integer' }, minItems: 3 },
  'an empty list': { type: 'array', maxItems: 0 },
  'a tuple': { type: 'array', prefixItems: [text, { type: 'integer' }], items: false },
  'a tuple with a rest': { type: 'array', prefixItems: [text], items: { type: 'boolean' }, minItems: 3 },
  'different items': { type: 'array', uniqueItems: true, minItems: 6, items: { type: 'string' } },
  'different items of an enum': { type: 'array', uniqueItems: true, minItems: 3, items: { enum: ['a', 'b', 'c'] } },
  'different numbers on steps': { type: 'array', uniqueItems: true, minItems: 4, items: { type: 'integer', multipleOf: 7, minimum: 1 } },
  'different objects': {
    type: 'array',
    uniqueItems: true,
    minItems: 3,
    items: { type: 'object', required: ['id'], properties: { id: { format: 'uuid', type: 'string' } } },
  },
  'an item among others': { type: 'array', items: { type: 'integer' }, contains: { minimum: 100 }, minContains: 2, minItems: 4 },
  'bounds of an integer': { type: 'integer', minimum: 3, maximum: 3 },
  'bounds left out': { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 },
  'below zero': { type: 'number', maximum: -4 },
  'between two close numbers': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
  'a step': { type: 'number', multipleOf: 0.01, minimum: 0.3 },
  'a step of an integer': { type: 'integer', multipleOf: 1.5, minimum: 1 },
  'two steps': { allOf: [{ multipleOf: 4 }, { multipleOf: 6 }], type: 'integer', minimum: 1 },
  'a large integer': { type: 'integer', minimum: 9_000_000_000 },
  'a negative range': { type: 'integer', minimum: -10, maximum: -5 },
  'a long text': { type: 'string', minLength: 5000 },
  'a short text': { type: 'string', maxLength: 2 },
  'a code': { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
  'a pattern that is not anchored': { type: 'string', pattern: 'ok', minLength: 12 },
  'a pattern with a length': { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$', minLength: 20, maxLength: 25 },
  'a version': { type: 'string', pattern: '^v?(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$' },
  'a pattern with alternatives': { type: 'string', pattern: '^(?:red|green|blue)$' },
  'two patterns': { allOf: [{ pattern: '^a' }, { pattern: 'z$' }], type: 'string' },
  'a negated class': { type: 'string', pattern: '^[^\\s/]+/[^\\s/]+$' },
  'a class outside ASCII': { type: 'string', pattern: '^[а-я]{3}$' },
  'a property of characters': { type: 'string', pattern: '^\\p{Lu}\\p{L}+$' },
  'different patterned texts': { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'string', pattern: '^id-\\d+$' } },
  ...Object.fromEntries(
    [
      'date-time',
      'date',
      'time',
      'duration',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'uri',
      'uri-reference',
      'uri-template',
      'uuid',
      'json-pointer',
      'regex',
    ].map((format) => [`the format ${format}`, { type: 'string', format }]),
  ),
  'the first of anyOf': { anyOf: [{ type: 'integer' }, text] },
  'a oneOf with a tag': {
    oneOf: [
      { type: 'object', required: ['kind', 'n'], properties: { kind: { const: 'a' }, n: { type: 'integer' } } },
      { type: 'object', required: ['kind', 's'], properties: { kind: { const: 'b' }, s: text } },
    ],
  },
  'a oneOf whose first way holds too often': { oneOf: [{ type: 'number' }, { type: 'integer' }, { type: 'string' }] },
  'an anyOf whose first way cannot be': { anyOf: [false, { type: 'boolean' }] },
  'an allOf of objects': {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: text } },
      { required: ['b'], properties: { b: { type: 'integer' } } },
    ],
  },
  'an allOf that narrows a property': {
    allOf: [{ properties: { a: { type: 'integer', minimum: 3 } }, required: ['a'] }, { properties: { a: { maximum: 3 } } }],
    type: 'object',
  },
  'an if with its then': {
    type: 'object',
    required: ['verdict'],
    properties: { verdict: { const: 'fail' }, reason: text },
    if: { properties: { verdict: { const: 'fail' } } },
    then: { required: ['reason'] },
    additionalProperties: false,
  },
  'an if with its else': { type: 'integer', minimum: 10, if: { maximum: 5 }, then: false, else: { multipleOf: 3 } },
  'a not': { type: 'string', not: { const: 'rehearsal' }, enum: ['rehearsal', 'b'] },
  'a not that forbids a way': { anyOf: [{ const: 1 }, { const: 2 }], not: { const: 1 } },
  'a definition': { $ref: '#/$defs/word', $defs: { word: { type: 'string', minLength: 4 } } },
  'a definition with a strange name': { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: 'integer' } } },
  'an anchor': { $ref: '#word', $defs: { w: { $anchor: 'word', type: 'boolean' } } },
  'a resource of its own': { $id: 'https://example.com/root', $ref: 'item', $defs: { i: { $id: 'item', type: 'integer' } } },
  'a tree': { $ref: '#/$defs/node', $defs: { node } },
  'a tree with a floor of items': {
    $ref: '#/$defs/n',
    $defs: {
      n: {
        anyOf: [
          { type: 'object', required: ['l', 'r'], properties: { l: { $ref: '#/$defs/n' }, r: { $ref: '#/$defs/n' } } },
          { type: 'null' },
        ],
      },
    },
  },
  'a schema that refers to itself': { type: 'object', properties: { next: { $ref: '#' } } },
  'a reference with more beside it': { $ref: '#/$defs/n', minimum: 50, $defs: { n: { type: 'integer' } } },
};

describe('a value for a schema', () => {
  it.each(Object.entries(SATISFIABLE))('[M-6] satisfies %s', async (_name, schema) => {
    const { value, faults } = await generated(schema);
    expect(faults).toEqual([]);
    expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  });

  it.each([
    ['false', false],
    ['bounds that cross', { type: 'integer', minimum: 5, maximum: 4 }],
    ['a circle of references', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['a required endless tree', { type: 'object', required: ['next', 'more'], properties: { next: { $ref: '#' }, more: { $ref: '#' } } }],
    ['more different items than there are', { type: 'array', uniqueItems: true, minItems: 3, items: { enum: ['a'] } }],
    ['two constants', { allOf: [{ const: 1 }, { const: 2 }] }],
    ['a closed object with another key', { type: 'object', required: ['b'], properties: { a: text }, additionalProperties: false }],
  ])('[M-6] says what is wrong when nothing satisfies %s', async (_name, schema) => {
    const faults =
      typeof schema === 'object' && '$defs' in schema
        ? generate({ schema, seed: 's', validate: () => [] }).faults
        : (await generated(schema)).faults;
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]?.message).not.toBe('');
  });

  it('[M-6] writes the declared keys and the values people would expect', async () => {
    const schema = {
      type: 'object',
      required: ['b'],
      properties: {
        a: text,
        b: { type: 'integer' },
        c: { type: 'array', items: { enum: ['low', 'high'] } },
        d: { type: 'string', format: 'date' },
      },
    };
    expect((await generated(schema)).value).toEqual({ a: 'rehearsal', b: 1, c: ['low'], d: '2026-01-02' });
  });

  it('[M-6] is the same for the same place', async () => {
    const schema = { oneOf: [{ type: 'number' }, { type: 'integer' }, { enum: ['a', 'b'] }, { enum: ['b', 'c'] }] };
    expect(await generated(schema, 'one')).toEqual(await generated(schema, 'one'));
  });

  it('[M-6] a property: whatever the simple schema, the value satisfies it', async () => {
    const leaf = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.nat(20) }),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ enum: fc.uniqueArray(fc.oneof(fc.integer(), fc.string()), { minLength: 1 }) }),
      fc.record({ type: fc.constant('number'), maximum: fc.integer({ min: -50, max: 50 }), multipleOf: fc.constantFrom(0.5, 3) }),
    );
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
        fc
          .dictionary(fc.string({ maxLength: 5 }), tie('schema'), { maxKeys: 3 })
          .map((properties) => ({ type: 'object', properties, required: Object.keys(properties) })),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 1 }) }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(schema, async (each) => {
        expect((await generated(each)).faults).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
