import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFrom } from '../src/load.js';
import { HEAD, contract, faults, load } from './loading.js';

const none = { find: async () => ({ ok: false as const, message: 'nobody extends' }) };

describe('[C-1] loading', () => {
  it('reads every part of a contract', async () => {
    const text = `${HEAD}author: a\ncreated: 2026-03-21\ntags: [x]\ncan: [look]\nmust: [be kind, {text: be fast, judge: llm, description: d}]
requires: [input is non-empty, {text: user is known, on_fail: warn}]\nensures: [output is valid JSON]\ninvariant: [cost does not exceed 1 USD per step]
limits: {max_tokens: 5}\nassert:\n  - {name: a, type: latency, max_ms: 3, description: d}\non_violation: {default: warn, a: halt_and_alert, max_tokens: rollback}\n`;
    const loaded = await load({ 'main.contract.yaml': text });
    expect(loaded).toMatchObject({ ok: true, warnings: [] });
    const { clauses, tags, can, created } = await contract(text.slice(HEAD.length));
    expect([tags, can, created]).toEqual([['x'], ['look'], '2026-03-21']);
    expect(clauses.map(({ name, severity }) => `${name} ${severity}`)).toEqual([
      'requires[0] block',
      'requires[1] warn',
      'invariant[0] warn',
      'max_tokens rollback',
      'a halt_and_alert',
      'must[0] warn',
      'must[1] warn',
      'ensures[0] warn',
    ]);
    expect(clauses[6]).toMatchObject({ judge: 'llm', description: 'd', origin: { line: 9 } });
  });

  it('without on_violation everything blocks', async () => {
    expect((await contract('must: [be kind]\n')).clauses[0]?.severity).toBe('block');
  });

  it.each([
    ['spec-version: 0.1.0\nversion: 1.0.0\n', '1:1 The contract has no "agent", which is required.'],
    ['agent: a\nversion: 1.0.0\n', '1:1 The contract has no "spec-version", which is required.'],
    [
      'agent: a\nspec-version: 0.2.0\nversion: 1.0.0\n',
      '2:15 The contract is written for AgentContract 0.2.0, and this program knows 0.1.x alone.',
    ],
    ['agent: a\nspec-version: 0.1.0\nversion: 1.0\n', '3:10 "version" has to be a text; quote it when it looks like a number.'],
    [`${HEAD}mustnot: [a]\n`, '5:1 The contract does not take "mustnot". Did you mean "must_not"?'],
    [`${HEAD}must:\n  - {text: a, judge: human}\n`, '6:22 "must[0].judge" is none of deterministic, llm.'],
    [`${HEAD}must:\n  - {text: a, on_fail: warn}\n`, '6:15 "must[0]" does not take "on_fail". Allowed are: text, judge, description.'],
    [`${HEAD}must:\n  - 7\n`, '6:5 "must[0]" has to be a text; quote it when it looks like a number.'],
    [`${HEAD}limits: {max_tokens: -1}\n`, '5:22 "limits.max_tokens" is less than 0.'],
    [`${HEAD}limits: {max_tokens: 1.5}\n`, '5:22 "limits.max_tokens" has to be a whole number.'],
    [`${HEAD}assert:\n  - {name: a, type: regex}\n`, '6:21 "assert[0].type" is none of pattern, schema, llm, cost, latency, custom.'],
    [`${HEAD}assert:\n  - {name: a, type: cost, max_ms: 1}\n`, '6:27 "assert[0]" does not take "max_ms". Did you mean "max_usd"?'],
    [
      `${HEAD}assert:\n  - {name: a, type: pattern}\n`,
      '6:5 "assert[0]" is a pattern assertion and has neither "must_not_match" nor "must_match".',
    ],
    [
      `${HEAD}assert:\n  - {name: a, type: llm, prompt: x, pass_when: true}\n`,
      '6:48 "assert[0].pass_when" has to be a text; quote it when it looks like a number.',
    ],
    [`${HEAD}assert:\n  - {name: a, type: pattern, must_not_match: "("}\n`, '6:5 The pattern of the assertion "a" cannot be used: '],
    [`${HEAD}assert:\n  - {name: a, type: schema, schema: {type: strin}}\n`, '6:5 The schema of the assertion "a" cannot be used: '],
    [
      `${HEAD}assert:\n  - {name: a, type: cost, max_usd: 1}\n  - {name: a, type: cost, max_usd: 2}\n`,
      '7:5 There is an assertion "a" already, at line 6.',
    ],
    [`${HEAD}assert:\n  - {name: default, type: cost, max_usd: 1}\n`, '6:5 An assertion cannot be called "default"'],
    [`${HEAD}assert:\n  - {name: max_tokens, type: cost, max_usd: 1}\n`, '6:5 An assertion cannot be called "max_tokens"'],
    [`${HEAD}on_violation: {no_foo: warn}\n`, '5:15 "on_violation" has no "default", which is required.'],
    [`${HEAD}on_violation: {default: block, sla: warn}\n`, '5:32 on_violation names "sla", which is no assertion or limit here.'],
    [`${HEAD}on_violation: {default: stop}\n`, '5:25 "on_violation.default" is none of warn, block, rollback, halt_and_alert.'],
    [`${HEAD}must: [a]\nmust: [b]\n`, '6:1 The key "must" is there twice.'],
    [`${HEAD}must: [output matches /(/]\n`, '5:8 The expression cannot be used: '],
    ['- a\n', '1:1 The contract has to be a map of keys to values.'],
    ['', '1:1 The contract has to be a map of keys to values.'],
  ])('%j', async (text, message) => {
    expect(
      (await faults(text)).map((each) => each.replace('main.contract.yaml:', '')).find((each) => each.startsWith(message)),
    ).toBeDefined();
  });

  it('says every fault at once', async () => {
    expect(await faults(`${HEAD}mustnot: [a]\nlimits: {max_token: 1}\nassert: [{name: 'a[0]', type: cost}]\n`)).toHaveLength(4);
  });

  it('a number that is none is refused: a limit must not be lost in silence', async () => {
    for (const [clause, said] of [
      ['limits: {max_cost_usd: .inf}', '5:24 "limits.max_cost_usd" has to be a number.'],
      ['limits: {max_tokens: 1e400}', '5:22 "limits.max_tokens" has to be a whole number.'],
      ['limits: {max_cost_usd: .nan}', '5:24 "limits.max_cost_usd" has to be a number.'],
      ['assert: [{name: a, type: cost, max_usd: .inf}]', '5:41 "assert[0].max_usd" has to be a number.'],
    ]) {
      expect(await faults(`${HEAD}${clause}\n`), clause).toEqual([`main.contract.yaml:${said}`]);
    }
  });

  it('an assertion may be called anything a person can read', async () => {
    const { clauses } = await contract("assert: [{name: 'no card numbers (PCI): é', type: cost, max_usd: 1}]\n");
    expect(clauses[0]).toMatchObject({ name: 'no card numbers (PCI): é' });
    for (const name of ['"must[0]"', '"a\\eb"', '" a"', '"a "', '"a\\u202eb"', '"a\\nb"', '""']) {
      expect(await faults(`${HEAD}assert: [{name: ${name}, type: cost, max_usd: 1}]\n`), name).toHaveLength(1);
    }
  });

  it('takes JSON, and refuses what only looks like it', async () => {
    const json = (text: string) => loadFrom({ path: 'a.contract.json', location: '/a.contract.json', bytes: Buffer.from(text) }, none);
    expect(await json('{"agent": "a", "spec-version": "0.1.0-draft", "version": "1.0.0"}')).toMatchObject({ ok: true });
    expect(await json('{agent: a, spec-version: 0.1.0, version: 1.0.0}')).toMatchObject({ ok: false });
    expect(await json('{"agent": "a", "agent": "b"}')).toMatchObject({ ok: false, faults: [{ line: 1, column: 16 }] });
  });

  it('takes the two names of the specification alone', async () => {
    const named = (location: string) => loadFrom({ path: location, location, bytes: Buffer.from(HEAD) }, none);
    expect(await named('/a.yaml')).toMatchObject({ ok: false, faults: [{ message: expect.stringContaining('.contract.yaml') }] });
    expect(await named('/a.contract.yml')).toMatchObject({ ok: false });
  });

  it('warns of a missing description', async () => {
    const result = await load({
      'main.contract.yaml': 'agent: a\nspec-version: 0.1.0\nversion: 1.0.0\nassert:\n  - {name: x, type: cost, max_usd: 1}\n',
    });
    expect(result.ok && result.warnings.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '1 The contract has no "description".',
      '5 The assertion "x" has no "description".',
    ]);
  });

  it('a custom assertion takes any further keys', async () => {
    const { clauses } = await contract('assert:\n  - {name: t, type: custom, plugin: ./x.mjs, threshold: 0.1, deep: {a: [1]}}\n');
    expect(clauses[0]).toMatchObject({ check: { kind: 'custom', given: { threshold: 0.1, deep: { a: [1] } } } });
  });

  it('any bytes give an answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const result = await loadFrom({ path: 'a.contract.yaml', location: '/a.contract.yaml', bytes }, none);
        expect(typeof result.ok).toBe('boolean');
      }),
      { numRuns: 200 },
    );
  });

  it('any JSON value in any place gives a contract or faults with a place', async () => {
    const keys = fc.constantFrom(
      'must',
      'must_not',
      'requires',
      'ensures',
      'invariant',
      'assert',
      'limits',
      'on_violation',
      'can',
      'tags',
      'extends',
      'created',
    );
    await fc.assert(
      fc.asyncProperty(keys, fc.jsonValue(), async (key, value) => {
        const text = JSON.stringify({ agent: 'a', 'spec-version': '0.1.0', version: '1.0.0', [key]: value });
        const result = await loadFrom({ path: 'a.contract.json', location: '/a.contract.json', bytes: Buffer.from(text) }, none);
        const places = result.ok ? [] : result.faults.map(({ line }) => line);
        expect(places.every((line) => line >= 1)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('[C-2] extending', () => {
  const parent = `${HEAD}must_not: [contain "x"]\nrequires: [{text: user is known}]\nlimits: {max_cost_usd: 1, max_steps: 5}
assert:\n  - {name: a, type: cost, max_usd: 1, description: d}\non_violation: {default: rollback, a: block, max_steps: warn}\n`;
  const child = (text: string, head = 'agent: kid\nversion: 2.0.0\nextends: ./base.contract.yaml\ndescription: d\n') =>
    load({ 'main.contract.yaml': head + text, 'base.contract.yaml': parent });

  it('adds to everything of its parent, and inherits what it may leave out', async () => {
    const result = await child(
      'must_not: [contain "y", contain "x"]\ncan: [sing]\nlimits: {max_cost_usd: 0.5, max_tokens: 9}\non_violation: {default: warn, max_steps: block}\n',
    );
    expect(result).toMatchObject({ ok: true, contract: { agent: 'kid', version: '2.0.0', specVersion: '0.1.0', can: ['sing'] } });
    expect(result.ok && result.contract.clauses.map(({ name, text, severity }) => `${name} | ${text} | ${severity}`)).toEqual([
      'requires[0] | user is known | block',
      'max_cost_usd | at most 0.5 USD | rollback',
      'max_steps | at most 5 steps | block',
      'max_tokens | at most 9 output tokens | warn',
      'a | at most 1 USD | block',
      'must_not[0] | contain "x" | rollback',
      'must_not[1] | contain "y" | warn',
    ]);
    expect(result.ok && result.contract.files.map(({ path }) => path)).toEqual(['main.contract.yaml', 'base.contract.yaml']);
  });

  it('without on_violation its clauses have the default action of the parent', async () => {
    const result = await child('must: [contain "z"]\n');
    expect(result.ok && result.contract.clauses.find(({ text }) => text === 'contain "z"')?.severity).toBe('rollback');
  });

  it.each([
    ['limits: {max_cost_usd: 2}\n', '5:10 The limit max_cost_usd is 2 here and 1 at base.contract.yaml:7. A child may only tighten it.'],
    [
      'on_violation: {default: block, a: warn}\n',
      '5:32 The action for "a" is warn here and block by base.contract.yaml:9. A child may not lower it.',
    ],
    [
      'on_violation: {default: block, max_cost_usd: block}\n',
      '5:32 The action for "max_cost_usd" is block here and rollback by base.contract.yaml:7. A child may not lower it.',
    ],
    [
      'requires: [{text: user is known, on_fail: warn}]\n',
      '5:12 The precondition "user is known" only warns here and blocks at base.contract.yaml:6. A child may not soften it.',
    ],
    [
      'assert:\n  - {name: a, type: cost, max_usd: 2}\n',
      '6:5 The assertion "a" says something else than the one it inherits, at base.contract.yaml:9. Give the new one another name.',
    ],
  ])('refuses to weaken: %j', async (text, message) => {
    const result = await child(text);
    expect(
      result.ok
        ? []
        : result.faults
            .filter(({ severity }) => severity === 'error')
            .map(({ line, column, message: said }) => `${line}:${column} ${said}`),
    ).toEqual([message]);
  });

  it('an inherited assertion may be described anew, whatever its type', async () => {
    const custom = (more: string): string => `assert: [{name: t, type: custom, plugin: ./x.mjs${more}}]\n`;
    const base = { 'base.contract.yaml': HEAD + custom('') };
    const child = (more: string) => load({ ...base, 'main.contract.yaml': `${HEAD}extends: ./base.contract.yaml\n${custom(more)}` });
    expect(await child(', description: says why')).toMatchObject({ ok: true });
    expect(await child(', strict: false')).toMatchObject({ ok: false });
  });

  it('a lower default is no way to weaken what is inherited', async () => {
    const result = await child('limits: {max_cost_usd: 0.1}\non_violation: {default: warn}\n');
    expect(result.ok && result.contract.clauses.find(({ name }) => name === 'max_cost_usd')?.severity).toBe('rollback');
  });

  it('refuses a cycle, a chain over ten, and a parent that is not there', async () => {
    const link = (to: string) => `${HEAD}extends: ./${to}.contract.yaml\n`;
    expect(await faults(link('b'), { 'b.contract.yaml': link('main') })).toContainEqual(
      expect.stringContaining('The contract extends itself'),
    );
    expect(await faults(link('main'))).toContainEqual(expect.stringContaining('The contract extends itself'));
    const chain = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`c${n}.contract.yaml`, n === 11 ? HEAD : link(`c${n + 1}`)]));
    expect(await faults(link('c2'), chain)).toEqual([]);
    expect(await faults(link('c1'), chain)).toContainEqual(expect.stringContaining('longer than 10'));
    expect(await faults(link('gone'))).toEqual(['main.contract.yaml:5:10 ./gone.contract.yaml is not there.']);
  });

  it('a fault of the parent names both files', async () => {
    const said = await faults(`${HEAD}extends: ./b.contract.yaml\n`, { 'b.contract.yaml': `${HEAD}must: 7\n` });
    expect(said[0]).toBe('main.contract.yaml:5:10 What it extends cannot be used. b.contract.yaml:5: "must" has to be a list.');
    expect(said[1]).toBe('b.contract.yaml:5:7 "must" has to be a list.');
  });
});
