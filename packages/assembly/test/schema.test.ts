import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../src/schema/compile.js';
import { KEYWORDS } from '../src/schema/keywords.js';
import { compileSchema } from '../src/index.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

function nested(depth: number): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < depth; level++) schema = { items: schema };
  return schema;
}

/** What a value is told by a schema that has to compile: `pointer message`. */
function faults(schema: unknown, value: unknown): readonly string[] {
  const compiled = compile(schema);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.validator.validate(value).map(({ pointer, message }) => `${pointer} ${message}`);
}

describe('schemas that cannot be used', () => {
  const table: Readonly<Record<string, readonly [schema: unknown, says: RegExp]>> = {
    'no object': [[1], /object, or true or false/],
    null: [null, /object, or true or false/],
    'another dialect': [{ $schema: 'http://json-schema.org/draft-07/schema#' }, /draft-07.*2020-12/],
    'another dialect further in': [
      { properties: { a: { $schema: 'https://json-schema.org/draft/2019-09/schema' } } },
      /\/properties\/a\/\$schema/,
    ],
    'a type that is none': [{ type: 'text' }, /\/type takes one of array/],
    'a keyword of the wrong type': [{ properties: { a: { minimum: '1' } } }, /\/properties\/a\/minimum takes a number/],
    'items as a list, which is an older dialect': [{ items: [{}] }, /\/items takes a schema/],
    'required twice': [{ required: ['a', 'a'] }, /\/required/],
    'an empty allOf': [{ allOf: [] }, /\/allOf takes a list/],
    'a pattern that is none': [{ pattern: '(' }, /.../],
    'a remote reference': [{ $ref: 'https://example.com/a.json' }, /"https:\/\/example.com\/a.json" points outside/],
    'a remote reference nobody reaches': [{ $defs: { a: { $ref: 'https://example.com/a.json#/x' } } }, /points outside/],
    'a reference to a file': [{ properties: { a: { $ref: 'other.json' } } }, /"other.json" points outside/],
    'a local reference to nothing': [{ $ref: '#/$defs/none' }, /none/],
    'too deep': [nested(50_000), /nested/],
    'too many subschemas': [{ anyOf: Array.from({ length: 30_000 }, () => ({})) }, /more than 20000 subschemas/],
  };
  for (const [name, [schema, says]] of Object.entries(table)) {
    it(`[A-11] ${name}`, () => {
      const compiled = compile(schema);
      expect(compiled.ok ? 'compiled' : compiled.message).toMatch(says);
    });
  }
});

describe('schemas that can be used', () => {
  const table: Readonly<Record<string, readonly [schema: unknown, right: unknown, wrong: unknown]>> = {
    'true and false words': [{ type: 'boolean' }, true, 'true'],
    'the named dialect': [{ $schema: DIALECT, type: 'null' }, null, 0],
    'the named dialect with an empty fragment': [{ $schema: `${DIALECT}#`, type: 'null' }, null, 0],
    'prefixItems of 2020-12': [{ prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 1]],
    unevaluatedProperties: [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
    'formats are asserted': [{ format: 'date' }, '2024-02-29', '2023-02-29'],
    'local references': [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'x', 1],
    'embedded identities': [{ $id: 'https://example.com/root', $ref: 'part', $defs: { p: { $id: 'part', type: 'string' } } }, 'x', 1],
    'a reference to the dialect': [{ $ref: DIALECT }, { type: 'string' }, { type: 'text' }],
    'recursive references': [
      { type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false },
      { child: { child: {} } },
      { child: { kid: {} } },
    ],
    'dynamic references': [
      { $dynamicAnchor: 'node', type: 'object', properties: { child: { $dynamicRef: '#node' } } },
      { child: {} },
      { child: 1 },
    ],
    'two patterns of one schema': [
      { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } },
      { a: 'a', b: 'b' },
      { a: 'a', b: 'a' },
    ],
    'only own properties count': [{ required: ['toString'] }, { toString: 1 }, {}],
    'a property called __proto__': [{ required: ['__proto__'] }, JSON.parse('{"__proto__":1}'), {}],
    'unknown keywords are ignored': [
      { type: 'string', 'x-note': 1, nullable: true, id: 'a', $async: true, discriminator: 7, definitions: {} },
      'a',
      null,
    ],
    'unknown formats are ignored': [{ type: 'string', format: 'colour' }, 'red', 1],
    'a foreign word inside an enumeration is a value': [{ enum: [{ nullable: true }] }, { nullable: true }, {}],
    'a property that is called like a foreign word': [{ properties: { nullable: { type: 'string' } } }, { nullable: 'a' }, { nullable: 1 }],
    'false refuses everything': [{ properties: { a: false } }, {}, { a: 1 }],
  };
  for (const [name, [schema, right, wrong]] of Object.entries(table)) {
    it(`[A-11 K-5] ${name}`, () => {
      expect(faults(schema, right)).toEqual([]);
      expect(faults(schema, wrong)).not.toEqual([]);
    });
  }

  it('[K-5] every fault is listed, by its pointer', () => {
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: { c: { items: { enum: ['x', 'y'] } } },
      additionalProperties: false,
    };
    expect(faults(schema, { c: ['z'], d: 1 })).toEqual([
      " must have required property 'a'",
      " must have required property 'b'",
      ' must not have the property "d"',
      '/c/0 must be one of x, y',
    ]);
  });

  it('[K-5] control characters of the output are shown, not sent', () => {
    expect(faults({ additionalProperties: { type: 'string' } }, { 'a\u001b[2J\n': 1 })).toEqual(['/a\\x1b[2J\\x0a must be string']);
  });

  it('[K-5] a pattern that would block the host engine is decided in linear time', () => {
    expect(faults({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toHaveLength(1);
  });

  it('[A-11] a schema that refers to itself without end is a fault, not a crash', () => {
    const compiled = compile({ $ref: '#' });
    expect(compiled.ok ? compiled.validator.validate(1) : [compiled.message]).toHaveLength(1);
    const mutual = compile({ $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { anyOf: [{ $ref: '#/$defs/a' }] } } });
    expect(mutual.ok ? mutual.validator.validate(1) : [mutual.message]).toHaveLength(1);
  });

  it('[K-5] two schemas with one identity do not know each other', () => {
    const first = compile({ $id: 'https://example.com/a', type: 'string' });
    const second = compile({ $id: 'https://example.com/a', type: 'number' });
    expect([first, second].map((each) => each.ok && each.validator.validate('x').length)).toEqual([0, 1]);
    expect(compile({ $ref: 'https://example.com/a' }).ok).toBe(false);
  });

  it('[K-5] the door compiles a schema of the tree', async () => {
    const validator = await compileSchema({ kind: 'json', path: 'schema.json', text: '', schema: { type: 'string' } });
    expect(validator.validate('a')).toEqual([]);
    await expect(compileSchema({ kind: 'json', path: 'schema.json', text: '', schema: { type: 'text' } })).rejects.toThrow('schema.json');
  });
});

describe('the table of keywords', () => {
  const official = new Ajv2020({ strict: false, validateFormats: false });
  const small = fc.oneof(
    fc.constantFrom<unknown>(
      'string',
      'a',
      '',
      '#a',
      'b',
      0,
      1,
      -1,
      1.5,
      true,
      null,
      [],
      {},
      ['a'],
      ['a', 'a'],
      ['string'],
      [{}],
      [1],
      { a: {} },
      { a: 1 },
      { a: ['b'] },
      { a: ['b', 'b'] },
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );

  it('[A-11] says what the meta-schema of 2020-12 says', () => {
    const names = Object.keys(KEYWORDS).filter(
      (name) => !['$schema', '$ref', '$dynamicRef', '$id', '$vocabulary', 'pattern', 'patternProperties'].includes(name),
    );
    const keywords = fc.dictionary(fc.constantFrom(...names), small, { maxKeys: 3 });
    fc.assert(
      fc.property(keywords, (schema) => {
        const ours = compile(schema);
        expect([schema, ours.ok || !/takes/.test(ours.message)]).toEqual([schema, official.validateSchema(schema)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[A-11] nothing makes the compiler throw', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(KEYWORDS), '$async', 'id', 'nullable', '__proto__'), small, { maxKeys: 4 }),
        small,
        (schema, value) => {
          const compiled = compile(schema);
          expect(compiled.ok ? Array.isArray(compiled.validator.validate(value)) : compiled.message.length > 0).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
