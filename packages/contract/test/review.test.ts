/** Where contracts are wrong in ways that are easily passed over. */
import { describe, expect, it } from 'vitest';
import { jsonFault } from '../src/read/json-fault.js';
import { faults, HEAD } from './loading.js';
import { judge, text } from './running.js';

describe('[C-1] what is no JSON', () => {
  it.each([
    ['{"a": 1,}', '1:9 a key in double quotes has to stand here'],
    ['{\n  "a": [1 2]\n}', '2:11 a comma, or the end has to stand here'],
    ['{"a": tru}', '1:7 this is no part of JSON'],
    ['{"a": 1', '1:8 it ends too early, and a comma, or the end has to stand here'],
    ['{"a": 1}}', '1:9 a comma, or the end has to stand here'],
    ['', '1:1 it ends too early, and a value has to stand here'],
  ])('[C-1] %j is told with line and column', (json, said) => {
    const fault = jsonFault(json);
    expect(`${fault?.line}:${fault?.column} ${fault?.message}`).toBe(said);
  });

  it('[C-1] is none of what is JSON', () => {
    for (const json of ['{}', '[]', '{"a": [1, -2.5e3, "\\u00e9", null, {"b": []}]}', ' true ']) expect(jsonFault(json)).toBeNull();
  });
});

describe('[C-1 C-4] a contract', () => {
  it('[C-1] of a day that does not exist is refused', async () => {
    expect(await faults(`${HEAD}created: 2026-13-45\n`)).toHaveLength(1);
    expect(await faults(`${HEAD}created: 2026-03-21\n`)).toEqual([]);
  });

  it('[C-4] whose quotes hold nothing is refused: it would pass in silence', async () => {
    for (const clause of ['output contains ""', 'output starts with ""'])
      expect((await faults(`${HEAD}must: ['${clause}']\n`))[0]).toContain('no text between the quotes');
  });

  it('[C-3 C-4] nothing but the input is known before the run: any other precondition is unevaluated', async () => {
    const facts = { input: text('q'), output: text('x'), toolCalls: [], durationMs: 1 };
    const clauses = 'requires:\n  - output is non-empty\n  - calls no tools\n  - complete within 1 second\n  - input is non-empty\n';
    const { violated, unevaluated } = await judge(clauses, facts);
    expect([violated, unevaluated.map((line) => line.slice(0, 11))]).toEqual([[], ['requires[0]', 'requires[1]', 'requires[2]']]);
  });

  it.each([
    ['the output must not be empty', '', 'x'],
    ['the output must contain "x"', 'y', 'x'],
    ['output should end with "."', 'a', 'a.'],
    ['output must be valid JSON', '{', '{}'],
    ['output must not exceed 2 words', 'a b c', 'a b'],
  ])('[C-4] understands "%s"', async (clause, broken, kept) => {
    expect((await judge(`must: ['${clause}']\n`, { output: text(broken) })).violated).toHaveLength(1);
    expect(await judge(`must: ['${clause}']\n`, { output: text(kept) })).toEqual({ violated: [], unevaluated: [] });
  });
});
