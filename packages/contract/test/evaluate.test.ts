import { describe, expect, it } from 'vitest';
import { CLAUSE_TYPES } from '../src/contract.js';
import { contentOf } from '../src/facts.js';
import { prepare } from '../src/evaluate/prepare.js';
import { contract } from './loading.js';
import { judge, text } from './running.js';

describe('[C-3] the order of clauses', () => {
  it('is requires, invariant, limits, assert as declared, must, must_not, ensures', async () => {
    const clauses = `ensures: [output contains "1"]\nmust_not: [contain "a"]\nmust: [contain "2"]\nlimits: {max_tool_calls: 0}
assert:\n  - {name: z, type: pattern, must_match: "3"}\n  - {name: b, type: pattern, must_not_match: a}\ninvariant: [calls no tools]\nrequires: [input is non-empty]\n`;
    const { violated } = await judge(clauses, { input: text(''), output: text('a'), toolCalls: [{ name: 'x' }] });
    expect(violated.map((each) => each.replace(/:.*/, ''))).toEqual([
      'requires[0]',
      'invariant[0]',
      'max_tool_calls',
      'z',
      'b',
      'must[0]',
      'must_not[0]',
      'ensures[0]',
    ]);
    const loaded = await contract(clauses);
    const order = loaded.clauses.map(({ type }) => CLAUSE_TYPES.indexOf(type));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('a permission is kept and never evaluated', async () => {
    expect(await judge('can: [contain "a", anything at all]\n', { output: text('a') })).toEqual({ violated: [], unevaluated: [] });
  });
});

describe('[C-4] sentences', () => {
  it('must_not negates', async () => {
    expect(await judge('must_not: [contain "x", take longer than 1 seconds]\n', { output: text('x'), durationMs: 1000 })).toEqual({
      violated: ['must_not[0]: the output contains it'],
      unevaluated: [],
    });
  });

  it('what nobody can decide is unevaluated, never passed', async () => {
    expect(await judge('must: [be helpful]\n', { output: text('x') })).toEqual({
      violated: [],
      unevaluated: ['must[0]: no program can decide this sentence, and it has no judge'],
    });
  });

  it('fails when the host wants that', async () => {
    const { violated, unevaluated } = await judge('must: [be helpful]\nlimits: {max_cost_usd: 1}\n', {}, { unevaluated: 'fail' });
    expect(violated).toEqual([
      'max_cost_usd: unevaluated: nobody knows what the run cost',
      'must[0]: unevaluated: no program can decide this sentence, and it has no judge',
    ]);
    expect(unevaluated).toHaveLength(2);
  });

  it('a fact of the host decides by text or by expression, and never against the grammar', async () => {
    const facts = [
      { text: 'User is  authenticated.', is: false },
      { text: /the user has role (\w+)/, is: (_: unknown, [role]: readonly string[]) => role === 'admin' },
      { text: 'output is valid JSON', is: true },
      { text: 'crashes', is: () => JSON.parse('{') },
      { text: 'nobody asked', is: () => undefined },
    ];
    const clauses = `requires: [user is authenticated, the user has role admin, the user has role guest]\nmust: [output is valid JSON, crashes, nobody asked]\nmust_not: [user is authenticated]\n`;
    expect(await judge(clauses, { output: text('{') }, { facts })).toEqual({
      violated: [
        'requires[0]: the host says that it is not so',
        'requires[2]: the host says that it is not so',
        'must[0]: the output is not valid JSON',
      ],
      unevaluated: ['must[1]: the host does not know it for this run', 'must[2]: the host does not know it for this run'],
    });
  });

  it('says when each clause is judged', async () => {
    const { checks } = await prepare(
      await contract(
        `requires: [input is non-empty]\ninvariant: [calls no tools, output is valid UTF-8]\nlimits: {max_steps: 1}\nassert:\n  - {name: p, type: custom, plugin: ./p.mjs}\n  - {name: l, type: llm, prompt: q, pass_when: "NO"}\nmust: [be kind, known, {text: x, judge: llm}]\nensures: [output is valid JSON]\n`,
      ),
      { facts: [{ text: 'known', is: true }] },
    );
    expect(checks.map(({ clause, when }) => `${clause.name} ${when}`)).toEqual([
      'requires[0] before',
      'invariant[0] live',
      'invariant[1] after',
      'max_steps live',
      'p plugin',
      'l judge',
      'must[0] never',
      'must[1] fact',
      'must[2] judge',
      'ensures[0] after',
    ]);
    expect(checks.find(({ when }) => when === 'never')?.note).toContain('judge: llm');
  });
});

describe('[C-5] assertions', () => {
  const card = 'assert:\n  - {name: card, type: pattern, must_not_match: "(?i)\\\\bcard \\\\d{4}\\\\b"}\n';

  it('a pattern, with inline flags', async () => {
    expect((await judge(card, { output: text('CARD 1234') })).violated).toEqual([
      'card: the output matches the pattern that must not match',
    ]);
    expect(await judge(card, { output: text('card 12345') })).toEqual({ violated: [], unevaluated: [] });
    expect((await judge('assert:\n  - {name: a, type: pattern, must_match: ^x}\n', { output: text('yx') })).violated).toEqual([
      'a: the output does not match the pattern that must match',
    ]);
  });

  it('without an output it is unevaluated', async () => {
    expect((await judge(card, {})).unevaluated).toEqual(['card: there is no output']);
  });

  it('a hostile pattern is a violation that says so, in either direction', async () => {
    const evil = String.raw`^(?=(a+)+$)b`;
    const output = text(`${'a'.repeat(40)}!`);
    for (const key of ['must_not_match', 'must_match']) {
      const { violated } = await judge(`assert:\n  - {name: e, type: pattern, ${key}: '${evil}'}\n`, { output });
      expect(violated[0]).toMatch(/ran out of its second/);
    }
  });

  it('an exponential pattern that RE2 can express is linear', async () => {
    const { violated } = await judge("assert:\n  - {name: e, type: pattern, must_not_match: '^(a+)+$'}\n", {
      output: text(`${'a'.repeat(100_000)}!`),
    });
    expect(violated).toEqual([]);
  });

  it('a schema; what is not JSON is a violation, and no detail quotes the output', async () => {
    const clauses =
      'assert:\n  - {name: s, type: schema, schema: {type: object, required: [id], properties: {id: {}, status: {enum: [open]}}, additionalProperties: false}}\n';
    expect((await judge(clauses, { output: text('no') })).violated).toEqual(['s: the output is not JSON']);
    expect((await judge(clauses, { output: contentOf(new Uint8Array([0x22, 0xff, 0x22])) })).violated).toEqual([
      's: the output is not JSON',
    ]);
    expect((await judge(clauses, { output: text('{"status": "secret-word", "other-secret": 1}') })).violated).toEqual([
      's: the output does not match the schema in 3 places',
    ]);
    expect((await judge(clauses, { output: text('{"id": 1}') })).violated).toEqual([]);
  });

  it('cost and latency; what nobody knows is unevaluated, never zero', async () => {
    const clauses = 'assert:\n  - {name: c, type: cost, max_usd: 0.05}\n  - {name: l, type: latency, max_ms: 10}\n';
    expect((await judge(clauses, { costUsd: 0.06, durationMs: 11 })).violated).toEqual([
      'c: 0.06 USD, and at most 0.05 USD are allowed',
      'l: 11 ms, and at most 10 ms are allowed',
    ]);
    expect((await judge(clauses, {})).unevaluated).toEqual(['c: nobody knows what the run cost', 'l: nobody knows how long the run took']);
  });
});

describe('[C-7] limits', () => {
  const all = 'limits: {max_tokens: 2, max_input_tokens: 2, max_latency_ms: 2, max_cost_usd: 2, max_tool_calls: 2, max_steps: 2}\n';
  const at = (n: number) => ({
    outputTokens: n,
    inputTokens: n,
    durationMs: n,
    costUsd: n,
    steps: n,
    toolCalls: Array.from({ length: n }, () => ({ name: 'a' })),
  });

  it('hold for the number itself and not above', async () => {
    expect((await judge(all, at(2))).violated).toEqual([]);
    expect((await judge(all, at(3))).violated).toEqual([
      'max_tokens: the run used 3 output tokens, and the limit is 2',
      'max_input_tokens: the run used 3 input tokens, and the limit is 2',
      'max_latency_ms: the run took 3 ms, and the limit is 2',
      'max_cost_usd: the run cost 3 USD, and the limit is 2',
      'max_tool_calls: the run made 3 tool calls, and the limit is 2',
      'max_steps: the run took 3 steps, and the limit is 2',
    ]);
  });

  it('tokens that nobody reported are estimated, and labelled so; everything else unknown is unevaluated', async () => {
    const { violated, unevaluated } = await judge(all, { output: text('x'.repeat(100)), input: text('abc') });
    expect(violated).toEqual([
      'max_tokens: the run used about 25 output tokens (estimated from the length of the text), and the limit is 2',
    ]);
    expect(unevaluated).toHaveLength(4);
    expect((await judge(all, {})).unevaluated).toHaveLength(6);
  });
});
