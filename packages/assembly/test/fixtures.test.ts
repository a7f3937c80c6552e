import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REFUSAL_CODES, readAssembly } from '../src/index.js';

const fixtures = new URL('../../../fixtures/assemblies/', import.meta.url).pathname;

/** Every folder counts by being there: `<theme>/<leaf>/assembly` and `expected.json` beside it. */
describe.each(['refusals', 'valid'])('fixtures: %s', (theme) => {
  for (const leaf of readdirSync(fixtures + theme)) {
    it(`[A-18] ${leaf}`, async () => {
      const folder = `${fixtures}${theme}/${leaf}`;
      const result = await readAssembly(`${folder}/assembly`);
      const found = { refusals: result.ok ? [] : result.refusals.map(({ code, path }) => ({ code, path })) };
      expect(found).toEqual(JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8')));
    });
  }
});

describe('messages', () => {
  const leaves = readdirSync(`${fixtures}refusals`);

  it('[A-18] every code that reading can give has a fixture of its name', () => {
    const elsewhere = [
      'assembly-unknown',
      'unreadable',
      'slot-missing',
      'path-missing',
      'request-invalid',
      'intelligence-unresolved',
      'model-unresolved',
      'credential-missing',
    ];
    expect(REFUSAL_CODES.filter((code) => !elsewhere.includes(code) && !leaves.includes(code))).toEqual([]);
  });

  for (const leaf of leaves) {
    it(`[A-18] ${leaf}: says what was found and what to do, in one printable line`, async () => {
      const result = await readAssembly(`${fixtures}refusals/${leaf}/assembly`);
      for (const { message } of result.ok ? [] : result.refusals) expect(message).toMatch(/^[^\p{Cc}]{30,700}[.)]$/u);
      expect(result.ok).toBe(false);
    });
  }

  const says: Readonly<Record<string, RegExp>> = {
    'sentinel-unknown': /Did you mean STAGE\.md\?/,
    'key-unknown': /Line 2: "timeuot".*Did you mean "timeout"\?/,
    'value-invalid': /Line 2: "timeout".*"1h".*whole number of seconds from 1 to 2147483/,
    'flow-unknown': /Did you mean "review-file"\?/,
    'entry-unknown': /an editor's backup copy/,
    'schema-invalid': /"https:\/\/example\.com\/change\.json"/,
    'alternative-mismatch': /"accept" is listed and has no entry; "reject" has an entry and is not listed/,
  };
  for (const [leaf, expected] of Object.entries(says)) {
    it(`[A-18] ${leaf} names the way out`, async () => {
      const result = await readAssembly(`${fixtures}refusals/${leaf}/assembly`);
      expect(result.ok ? '' : result.refusals[0]?.message).toMatch(expected);
    });
  }

  it('[A-9 A-18] the fix is a whole command line', async () => {
    const result = await readAssembly('./assembly', `${fixtures}refusals/not-runnable`);
    expect(result).toMatchObject({ refusals: [{ fix: 'chmod +x ./assembly/flows/review/01-read/gate.sh' }] });
  });
});
