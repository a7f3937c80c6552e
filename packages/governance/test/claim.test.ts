import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimMessage, readClaims } from '../src/claim/index.js';
import type { Evidence } from '../src/claim/index.js';
import { CLAIMS, TERMS } from './claim-table.js';

const FILES = new Set(['out.txt', '$INPUT/data.csv', 'my file.txt']);
const asked: string[] = [];
const evidence: Evidence = {
  citations: 2,
  passedCommands: ['npm test'],
  fileExists: async (path) => {
    asked.push(path);
    return FILES.has(path);
  },
};

function read(output: string, format: 'markdown' | 'json' = 'markdown') {
  return readClaims({ output, format, terms: TERMS }, evidence);
}

describe.each(Object.entries(CLAIMS))('sentences that are %s', (_, rows) => {
  it.each(rows)('[V-9] %j is held: %s', async (sentence, held) => {
    expect((await read(sentence)).unsupported.length > 0).toBe(held);
  });
});

describe('the reader of claims', () => {
  it('[V-9] the table has at least 80 sentences of each kind or near it, each once', () => {
    const all = Object.values(CLAIMS).flat();
    expect(new Set(all.map(([sentence]) => sentence)).size).toBe(all.length);
    expect(all.filter(([, held]) => held).length).toBeGreaterThan(55);
    expect(all.filter(([, held]) => !held).length).toBeGreaterThan(80);
  });

  it('[V-9] takes every character of a term as it is written', async () => {
    const terms = ['battle-tested', 'a+', '100%', 'c#/d', '[sic]', 'fail-*'];
    const claimed = async (output: string): Promise<number> => (await readClaims({ output, format: 'markdown', terms }, evidence)).claims;
    expect(await claimed('It is battle-tested.')).toBe(1);
    expect(await claimed('It is battle tested.')).toBe(0);
    expect(await claimed('It is fail-safe.')).toBe(1);
    expect(await claimed('It is c#/d here.')).toBe(1);
  });

  it('[V-9] says the sentence, its terms and the line', async () => {
    const { claims, unsupported, isCut } = await read(
      '# Report\n\nFine. It is Verified and proven\nhere. Not stable.\n\n- proven by `npm test`\n- stable `x`\n',
    );
    expect({ claims, isCut }).toEqual({ claims: 3, isCut: false });
    expect(unsupported).toEqual([
      { sentence: 'It is Verified and proven\nhere.', terms: ['verified', 'proven'], where: { kind: 'line', line: 3 } },
      { sentence: 'stable `…`', terms: ['stable'], where: { kind: 'line', line: 7 } },
    ]);
  });

  it('[V-9] the texts of a JSON document are read, not its keys', async () => {
    const output = JSON.stringify({
      verified: true,
      a: { 'b/c~d': ['fine', 'It is verified.', 'proven by `npm test`'] },
      proven: 'not proven',
    });
    expect((await read(output, 'json')).unsupported).toEqual([
      { sentence: 'It is verified.', terms: ['verified'], where: { kind: 'pointer', pointer: '/a/b~1c~0d/1' } },
    ]);
    expect((await read('"verified"', 'json')).unsupported).toMatchObject([{ where: { pointer: '' } }]);
  });

  it('[V-9] what is no JSON is read as text', async () => {
    expect((await read('{"a": "It is verified."', 'json')).unsupported).toHaveLength(1);
  });

  it('[V-9] only words of the list count, and `*` ends a stem', async () => {
    const text = 'It is certified and robustly made.';
    expect((await readClaims({ output: text, format: 'markdown', terms: [] }, evidence)).claims).toBe(0);
    const { unsupported } = await readClaims({ output: text, format: 'markdown', terms: ['Certified', 'robust*', '*', ' '] }, evidence);
    expect(unsupported.map(({ terms }) => terms)).toEqual([['certified', 'robust*']]);
    const hostile = await readClaims({ output: 'a (b) [c', format: 'markdown', terms: ['(b)', '[c', '.+'] }, evidence);
    expect(hostile.claims).toBeLessThan(2);
  });

  it('[V-9] a path that climbs out, a URL and a control character are never asked for', async () => {
    asked.length = 0;
    for (const path of [
      '../x',
      'a/../../x',
      '/a/../..',
      'http:x',
      'file:///etc/passwd',
      'C:\\x',
      'a\0b',
      'a\u0007b',
      '.',
      '%2e%2e/x',
      'data:text/plain,x',
    ])
      await read(`It is verified by [this](<${path}>) and \`${path}\`.`);
    expect(asked.filter((path) => path.split('/').includes('..') || /^[a-z]+:/i.test(path) || /\p{Cc}/u.test(path))).toEqual([]);
  });

  it('[V-9] the message lists what to support, without control characters', async () => {
    const reading = await read('It is \u001b[31mverified\u001b[0m\u202e.\n\n' + 'It is proven. '.repeat(30));
    const message = claimMessage(reading);
    expect(message.split('\n')[0]).toBe('31 sentences of the output claim more than they show:');
    expect(message).toContain('- line 1 (verified): It is \\x1b[31mverified');
    expect(message).toContain('- and 11 more.');
    expect(message).toContain('`[n]` of a source you cited');
    expect(/[\u001b\u202e]/.test(message)).toBe(false);
    expect(claimMessage(await read('Fine.'))).toBe('');
    expect(claimMessage(await read('Verified.'))).toMatch(
      /^One sentence of the output claims more than it shows:\n- line 1 \(verified\): Verified\.\n/,
    );
  });

  it('[V-9] the reading stops when nobody could mend more', async () => {
    const { unsupported, isCut } = await read('It is proven. '.repeat(500));
    expect({ count: unsupported.length, isCut }).toEqual({ count: 100, isCut: true });
  });

  it('[V-9] ten megabytes are read, and the place of a claim among them is right', async () => {
    const filler = 'A line of a log that says nothing of note.\n'.repeat(120_000);
    const output = `${filler}\nIt is verified.\n\n\`\`\`\nproven\n\n${filler}\`\`\`\n\nIt is proven by \`npm test\`.\n`;
    expect(output.length).toBeGreaterThan(10_000_000);
    const { claims, unsupported } = await read(output);
    expect(claims).toBe(2);
    expect(unsupported).toEqual([{ sentence: 'It is verified.', terms: ['verified'], where: { kind: 'line', line: 120_002 } }]);
  });

  it.each([
    ['block quotes', '>'.repeat(50_000)],
    ['lists', '- '.repeat(20_000)],
    ['indentation', Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n')],
    ['brackets', '['.repeat(60_000)],
    ['images', '![a]('.repeat(20_000)],
    ['emphasis', '*a **b '.repeat(15_000)],
    ['back-quotes', Array.from({ length: 400 }, (_, i) => '`'.repeat(i)).join('a')],
    ['comments', '<!--'.repeat(20_000)],
    ['tags', '<a '.repeat(30_000)],
    ['one line', 'x'.repeat(3_000_000)],
    ['quotation marks', '"a '.repeat(40_000)],
    ['dots', '. '.repeat(60_000)],
    ['no words', 'not '.repeat(30_000)],
  ])('[V-9] endless %s still show their claim', async (_, hostile) => {
    expect((await read(`${hostile}\n\nIt is proven.`)).unsupported.length).toBeGreaterThan(0);
  });

  it('[V-9] so much is read as markdown, and what is behind it taken as it stands', async () => {
    const { unsupported, isCut } = await read('It is proven by `npm test`, as it was before.\n\n'.repeat(8_000));
    const [first] = unsupported;
    expect(isCut).toBe(true);
    expect(first?.where.kind === 'line' ? first.where.line : 0).toBeGreaterThan(10_000);
  });

  it.each([
    ['a fence', '```\nIt is proven.\n```\n\n', 0],
    ['a fence in a list', '- ```\n  It is proven.\n\n  proven\n  ```\n\n', 0],
    ['a fence of tildes', '~~~ `x`\n```\nIt is proven.\n~~~\n\n', 0],
    ['a fence that holds another', '````\n```\nIt is proven.\n```\nproven\n````\n\n', 0],
    ['a fence that nothing closes', '```\nIt is proven.\n', 1],
    ['no fence', '``` a `b`\n\nIt is proven.\n\n', 1],
    ['a paragraph', 'It is proven.\n\n', 1],
  ])('[V-9] %s in a long output is what it is in a short one', async (_, block, claims) => {
    const filler = 'Nothing of note.\n\n'.repeat(5_000);
    expect((await read(`${filler}${block}`)).claims).toBe(claims);
    if (!block.startsWith('```\nIt is proven.\n') || claims === 0) expect((await read(block)).claims).toBe(claims);
  });

  it('[V-9] deep JSON is read', async () => {
    const { unsupported } = await read(`${'['.repeat(5_000)}"verified"${']'.repeat(5_000)}`, 'json');
    expect(unsupported).toHaveLength(1);
  });

  it('[V-9] lone surrogates and zero bytes are read and replaced', async () => {
    const { unsupported } = await read('It is \ud800 verified \0 now.\udc00');
    expect(unsupported).toHaveLength(1);
    expect(unsupported[0]?.sentence).toMatch(/^It is \ufffd verified/);
  });

  it('[V-9] any text is read', async () => {
    const words = fc.constantFrom(
      'verified',
      'not',
      'proven',
      '`',
      '[1]',
      '[',
      ']',
      '(',
      ')',
      '.',
      '\n',
      '> ',
      '# ',
      '*',
      '"',
      ',',
      'but',
      '\ud800',
      '<',
      '>',
      '&',
      'out.txt',
      '\0',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words).map((parts) => parts.join(' ')),
          fc.array(words).map((parts) => parts.join('')),
        ),
        async (text) => {
          for (const format of ['markdown', 'json'] as const) {
            const { claims, unsupported } = await read(text, format);
            expect(unsupported.length).toBeLessThanOrEqual(claims);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[V-9] a citation supports any plain claim, and a code span hides it', async () => {
    const term = fc.constantFrom(...TERMS);
    const subject = fc.constantFrom('It is', 'The whole parser is', 'Everything here has been');
    await fc.assert(
      fc.asyncProperty(subject, term, async (start, word) => {
        expect((await read(`${start} ${word}.`)).unsupported).toHaveLength(1);
        expect((await read(`${start} ${word} [1].`)).unsupported).toHaveLength(0);
        expect((await read(`${start} \`${word}\`.`)).claims).toBe(0);
        expect((await read(`${start} not ${word}.`)).claims).toBe(0);
      }),
    );
  });
});
