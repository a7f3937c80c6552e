import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citedMessage, numberCite, readCite } from '../src/claim/index.js';
import type { NumberedCite } from '../src/claim/index.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const GOOD = { claim: 'Node 20 is in maintenance.', source: 'https://nodejs.org/en/about', retrieved: '2026-11-30' };

describe('a cite', () => {
  it.each([
    [GOOD],
    [{ ...GOOD, source: 'docs/a b.md' }],
    [{ ...GOOD, source: '$INPUT/data.csv' }],
    [{ ...GOOD, retrieved: '2026-11-30T08:00:00Z' }],
    [{ ...GOOD, retrieved: '2026-12-01T01:00:00.123+14:00' }],
    [{ ...GOOD, retrieved: '2024-02-29' }],
  ])('[V-8] %j is taken', (value) => {
    expect(readCite(value, NOW)).toEqual({ ok: true, cite: value });
  });

  it.each([
    [null, /object/],
    ['text', /object/],
    [[], /object/],
    [{}, /claim/],
    [{ ...GOOD, claim: ' ' }, /claim/],
    [{ ...GOOD, claim: 7 }, /claim/],
    [{ ...GOOD, claim: 'x'.repeat(2_001) }, /claim/],
    [{ ...GOOD, claim: 'a\u001b[31m' }, /claim/],
    [{ ...GOOD, source: '' }, /source/],
    [{ ...GOOD, source: 'javascript:alert(1)' }, /source/],
    [{ ...GOOD, source: 'data:text/plain,x' }, /source/],
    [{ ...GOOD, source: 'https://' }, /source/],
    [{ ...GOOD, source: '#top' }, /source/],
    [{ ...GOOD, source: 'a\0b' }, /source/],
    [{ ...GOOD, retrieved: 'today' }, /retrieved/],
    [{ ...GOOD, retrieved: '2026-02-30' }, /retrieved/],
    [{ ...GOOD, retrieved: '2026-13-01' }, /retrieved/],
    [{ ...GOOD, retrieved: '2026-11-30T25:00:00Z' }, /retrieved/],
    [{ ...GOOD, retrieved: '2026-11-30T08:00:00' }, /retrieved/],
    [{ ...GOOD, retrieved: '2027-01-01' }, /future/],
    [{ ...GOOD, extra: 1 }, /Only claim/],
  ])('[V-8] %j is refused', (value, message) => {
    const result = readCite(value, NOW);
    expect(result.ok ? '' : result.message).toMatch(message);
  });

  it('[V-8] blanks are made even, and lone surrogates replaced', () => {
    expect(readCite({ ...GOOD, claim: ' a\n b\ud800 ' }, NOW)).toMatchObject({ cite: { claim: 'a b\ufffd' } });
  });

  it('[V-8] numbers go up, and the same cite keeps its own', () => {
    const entries: NumberedCite[] = [];
    const numbers = [GOOD, { ...GOOD, claim: 'Another.' }, { ...GOOD, retrieved: '2026-11-29' }, { ...GOOD, source: 'a.md' }].map(
      (cite) => {
        const { entry, isNew } = numberCite(entries, cite);
        if (isNew) entries.push(entry);
        return entry.number;
      },
    );
    expect(numbers).toEqual([1, 2, 1, 3]);
    expect(entries).toHaveLength(3);
    expect(citedMessage({ ...GOOD, number: 3 })).toContain('[3]');
  });

  it('[V-8] any value is answered', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.record({ claim: fc.string({ unit: 'binary' }), source: fc.string(), retrieved: fc.string() }),
        (value, fields) => {
          for (const given of [value, fields]) {
            const result = readCite(given, NOW);
            if (result.ok) expect(readCite(result.cite, NOW)).toEqual(result);
            else expect(result.message).toMatch(/^\S.*\.$/);
          }
        },
      ),
    );
  });
});
