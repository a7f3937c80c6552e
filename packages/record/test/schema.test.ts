import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import schema from '../schemas/event.schema.json' with { type: 'json' };
import { EVENT_NAMES, FIRST_PREV, createRecordReader, encodeLine, hashLine, parseLine } from '../src/index.js';
import { EVERY, EVERY_FACT } from './every-event.js';
import { plantExhausted, plantSuccess } from './plant-run.js';

const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'schema-'));
  plantSuccess(join(folder, 'success'));
  plantExhausted(join(folder, 'exhausted'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const TS = '2026-07-30T14:22:08.000Z';

describe('the schema of events', () => {
  it.each(EVERY_FACT.map((fact) => [fact.event, fact] as const))('[R-4] holds for a %s, which the reader reads as well', (_, fact) => {
    const line: unknown = JSON.parse(encodeLine(fact, TS, FIRST_PREV));
    validate(line);
    expect(validate.errors).toBeNull();
    expect(parseLine(line)).toEqual({ line: 'event', event: line });
  });

  it('[R-4] knows the same events as the reader', () => {
    expect(new Set(schema.properties.event.enum)).toEqual(new Set(EVENT_NAMES));
    expect(new Set(Object.keys(EVERY))).toEqual(new Set(EVENT_NAMES));
  });

  it.each(['success', 'exhausted'])('[R-3 R-4] holds for every line of a planted run: %s', (name) => {
    const lines = readFileSync(join(folder, name, 'record.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    for (const line of lines) {
      validate(JSON.parse(line));
      expect(validate.errors).toBeNull();
    }
    expect(lines.length).toBeGreaterThan(10);
  });

  it.each(EVERY_FACT.map((fact) => [fact.event, fact] as const))(
    '[R-4] and the reader alike refuse a %s that lacks a required field',
    (name, fact) => {
      const definition = schema.$defs[name];
      for (const field of definition.required.filter((one) => one !== 'record')) {
        const line = { ts: TS, ...fact, [field]: undefined, prev: FIRST_PREV };
        const text: unknown = JSON.parse(JSON.stringify(line));
        expect(validate(text), `${name} without ${field}`).toBe(false);
        expect(parseLine(text).line, `${name} without ${field}`).toBe('fault');
      }
      expect(definition.required.length).toBeGreaterThan(0);
    },
  );

  it('[R-5 R-6] and one of each in order is a valid record', () => {
    let prev = FIRST_PREV;
    const reader = createRecordReader();
    for (const fact of [EVERY.run_start, ...EVERY_FACT.slice(1)]) {
      const line = encodeLine(fact, TS, prev);
      prev = hashLine(line);
      reader.feed(Buffer.from(`${line}\n`));
    }
    expect(reader.reading()).toMatchObject({ state: 'valid', faults: [] });
  });
});
