import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fact, RecordEvent } from '../src/index.js';
import { FIRST_PREV, createRecordReader, encodeLine, foldRun, hashLine } from '../src/index.js';
import { FAULTS_KEPT } from '../src/reader.js';
import { plantSuccess } from './plant-run.js';

let folder = '';
let record = Buffer.alloc(0);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reader-'));
  plantSuccess(folder);
  record = readFileSync(join(folder, 'record.jsonl'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const lines = (): string[] => record.toString().split('\n').slice(0, -1);

function read(bytes: Uint8Array | string, piece = Infinity) {
  const all = Buffer.from(bytes);
  const reader = createRecordReader();
  const events: (RecordEvent | null)[] = [];
  for (let at = 0; at < all.length; at += piece) events.push(...reader.feed(all.subarray(at, at + piece)).map((line) => line.event));
  return { events, ...reader.reading() };
}

/** The same lines with the chain made good again, as whoever recomputes it would. */
function rechain(texts: readonly string[]): string {
  let prev = FIRST_PREV;
  return texts
    .map((text) => {
      const line = JSON.stringify({ ...JSON.parse(text), prev });
      prev = hashLine(line);
      return `${line}\n`;
    })
    .join('');
}

describe('the reader', () => {
  it('[R-6] reads a whole record as valid', () => {
    const { events, ...reading } = read(record);
    expect(reading).toEqual({ state: 'valid', newer: false, lines: lines().length, torn: false, faults: [], faultsOmitted: 0 });
    expect(events.map((event) => event?.event)).toEqual(lines().map((line) => JSON.parse(line).event));
  });

  it('[R-6] reads the same however the bytes arrive', () => {
    for (const piece of [1, 2, 7, 1000]) expect(read(record, piece)).toEqual(read(record));
  });

  it('[R-6] calls every prefix incomplete, and reads a torn last line never as an event', () => {
    const ends = new Set([0]);
    for (let at = record.indexOf(10); at !== -1; at = record.indexOf(10, at + 1)) ends.add(at + 1);
    for (let length = 0; length < record.length; length += 1) {
      const reading = read(record.subarray(0, length));
      expect(reading.state).toBe('incomplete');
      expect(reading.torn).toBe(!ends.has(length));
      expect(reading.events.length).toBe([...ends].filter((end) => end <= length).length - 1);
    }
  });

  it('[R-2 R-6] names the place of a changed byte in any line but the last', () => {
    const texts = lines();
    for (let index = 0; index < texts.length - 1; index += 1) {
      const changed = texts.map((text, at) => (at === index ? text.replace('"ts":"2026', '"ts":"2027') : text));
      const { state, faults } = read(`${changed.join('\n')}\n`);
      expect(state).toBe('invalid');
      expect(faults).toEqual([{ line: index + 2, rule: 'R-2', message: expect.stringContaining(`line ${index + 1}`) }]);
    }
  });

  it.each<[string, (texts: string[]) => string, { line: number; rule: string; message: RegExp }]>([
    [
      'bad JSON',
      (texts) => [...texts.slice(0, 2), '{"ts":', ...texts.slice(2)].join('\n') + '\n',
      { line: 3, rule: 'R-2', message: /not JSON/ },
    ],
    ['an empty line', (texts) => `${texts[0]}\n\n`, { line: 2, rule: 'R-2', message: /not JSON/ }],
    ['a list', (texts) => `${texts[0]}\n[]\n`, { line: 2, rule: 'R-4', message: /not a JSON object/ }],
    [
      'a missing line',
      (texts) => texts.filter((_, at) => at !== 3).join('\n') + '\n',
      { line: 4, rule: 'R-2', message: /does not follow line 3/ },
    ],
    ['no run_start first', (texts) => rechain(texts.slice(1)), { line: 1, rule: 'R-3', message: /no run_start/ }],
    [
      'another version',
      (texts) => rechain([texts[0]?.replace('"record":1', '"record":2') ?? '', ...texts.slice(1)]),
      { line: 1, rule: 'R-6', message: /written by a newer version: it says record version 2; this program reads version 1/ },
    ],
    [
      'no version',
      (texts) => rechain([texts[0]?.replace('"record":1,', '') ?? '']),
      { line: 1, rule: 'R-6', message: /version undefined/ },
    ],
    ['a second run_start', (texts) => rechain([texts[0] ?? '', ...texts]), { line: 2, rule: 'R-5', message: /second time/ }],
    ['something after run_end', (texts) => rechain([...texts, texts[1] ?? '']), { line: 17, rule: 'R-5', message: /follows run_end/ }],
    ['something torn after run_end', (texts) => `${texts.join('\n')}\n{"ts"`, { line: 17, rule: 'R-5', message: /follows run_end/ }],
    ['a stage started twice', (texts) => rechain([...texts.slice(0, 2), texts[1] ?? '']), { line: 3, rule: 'R-5', message: /second time/ }],
    [
      'a stage without end at run_end',
      (texts) => rechain([...texts.slice(0, 2), texts.at(-1) ?? '']),
      { line: 3, rule: 'R-5', message: /01-classify is open/ },
    ],
    [
      'a turn after the stage_end',
      (texts) => rechain([...texts.slice(0, 6), texts[3] ?? '']),
      { line: 7, rule: 'R-5', message: /turn of 01-classify after its end/ },
    ],
    ['an end without a start', (texts) => rechain([texts[0] ?? '', texts[5] ?? '']), { line: 2, rule: 'R-5', message: /had not started/ }],
    [
      'a field of the wrong type',
      (texts) => rechain([texts[0] ?? '', texts[1]?.replace('"slots":[', '"slots":[7,') ?? '']),
      { line: 2, rule: 'R-4', message: /slots/ },
    ],
    [
      'a missing field',
      (texts) => rechain([texts[0] ?? '', texts[1]?.replace('"skills":[],', '') ?? '']),
      { line: 2, rule: 'R-4', message: /skills/ },
    ],
    [
      'a wrong place',
      (texts) => rechain([texts[0] ?? '', texts[3]?.replace('"retry":1', '"retry":0') ?? '']),
      { line: 2, rule: 'R-4', message: /place/ },
    ],
    [
      'a wrong time',
      (texts) => rechain([texts[0] ?? '', texts[1]?.replace('"ts":"2026-07-30T', '"ts":"yesterday') ?? '']),
      { line: 2, rule: 'R-4', message: /ts/ },
    ],
  ])('[R-2 R-3 R-4 R-5 R-6] names line and rule: %s', (_, change, expected) => {
    const { state, faults } = read(change(lines()));
    expect(state).toBe('invalid');
    expect(faults[0]).toEqual({ line: expected.line, rule: expected.rule, message: expect.stringMatching(expected.message) });
  });

  it('[R-5] allows a failed tmp_teardown after the stage_end, and the same stage in another repeat', () => {
    const base = lines();
    const repeated = (repeat: number) => base.slice(1, 6).map((text) => JSON.stringify({ ...JSON.parse(text), repeat }));
    const teardown = encodeLine({ event: 'tmp_teardown', stage: '01-classify', repeat: 1, reason: 'busy' }, '2026-07-30T14:22:08.000Z', '');
    const text = rechain([base[0] ?? '', ...repeated(1), teardown, ...repeated(2), base.at(-1) ?? '']);
    expect(read(text)).toMatchObject({ state: 'valid', faults: [] });
  });

  it('[R-6] ignores unknown fields and unknown events, which still belong to the chain', () => {
    const [first = '', ...rest] = lines();
    const strange = '{"ts":"2026-07-30T14:22:08.000Z","event":"weather","degrees":21}';
    const { state, events } = read(rechain([first.replace('{', '{"mood":"fine",'), strange, ...rest]));
    expect(state).toBe('valid');
    expect(events[1]).toBeNull();
  });

  it('[R-6] counts the faults it does not keep', () => {
    const reading = read(`${lines()[0]}\n${'x\n'.repeat(FAULTS_KEPT + 7)}`);
    expect(reading.faults).toHaveLength(FAULTS_KEPT);
    expect(reading.faultsOmitted).toBe(7);
  });

  it('[R-6] never throws, whatever the bytes', () => {
    const start = Buffer.from(`${lines()[0]}\n`);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, afterStart) => {
        const reading = read(afterStart ? Buffer.concat([start, bytes]) : bytes);
        expect(foldRun(reading.events.filter((event) => event !== null))?.run ?? null).toBe(afterStart ? '2026-07-30T14-22-08-a3f9' : null);
      }),
      { numRuns: 500 },
    );
  });

  it('[R-6] never throws for a valid chain of JSON that means nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.constantFrom('check', 'stage_start', 'stage_end', 'turn', 'hook', 'chose'),
        (values, event) => {
          const texts = values.map((value) =>
            JSON.stringify({ ts: '2026-07-30T14:22:08.000Z', event, stage: 'x', ...(typeof value === 'object' ? value : { value }) }),
          );
          const { events, state } = read(rechain([lines()[0] ?? '', ...texts]));
          foldRun(events.filter((one) => one !== null));
          expect(['incomplete', 'invalid']).toContain(state);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the codec', () => {
  it('[R-2] gives back what was encoded, place first and prev last', () => {
    const fact: Fact = { event: 'signal', name: 'SIGINT\n\u2028"\ud800', signal: 2, stage: 'a', retry: 1 };
    const line = encodeLine(fact, '2026-07-30T14:22:08.000Z', FIRST_PREV);
    expect(Object.keys(JSON.parse(line))).toEqual(['ts', 'event', 'stage', 'retry', 'name', 'signal', 'prev']);
    expect(JSON.parse(line)).toEqual({ ts: '2026-07-30T14:22:08.000Z', ...fact, prev: FIRST_PREV });
    expect(line).not.toContain('\n');
  });
});
