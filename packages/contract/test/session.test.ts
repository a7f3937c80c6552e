import fc from 'fast-check';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { prepare } from '../src/evaluate/prepare.js';
import type { EvaluationPorts } from '../src/evaluate/ports.js';
import type { ContractReport } from '../src/report/report.js';
import { adviceFor } from '../src/report/report.js';
import { enforceWith } from '../src/session/enforce.js';
import type { EnforceOptions } from '../src/session/enforce.js';
import {
  ContractAuditError,
  ContractError,
  ContractHaltError,
  ContractPreconditionError,
  ContractViolationError,
} from '../src/session/errors.js';
import { reachOf } from '../src/session/longest-match.js';
import { middlewareWith } from '../src/session/middleware.js';
import type { SessionOptions } from '../src/session/session.js';
import { openSession } from '../src/session/session.js';
import { settle } from '../src/session/settle.js';
import { guardStream } from '../src/session/stream-guard.js';
import { contract } from './loading.js';
import { IDENTITY } from './running.js';

async function session(clauses: string, options: Partial<SessionOptions> & EvaluationPorts = {}) {
  const prepared = await prepare(await contract(clauses), options);
  return openSession(prepared, { identity: IDENTITY, elapsed: () => 0, tells: ['turns', 'calls', 'commands', 'changes'], ...options });
}

const names = ({ violations }: { violations: readonly { clause_name: string }[] }) => violations.map(({ clause_name }) => clause_name);

describe('[C-12] a session', () => {
  it('[C-3] a failed precondition does not let the agent run; on_fail alone decides', async () => {
    const blocked = await (await session('requires: [input is non-empty]\non_violation: {default: warn}\n')).input('');
    expect([blocked.allowed, blocked.report.action]).toEqual([false, 'block']);
    const warned = await session('requires: [{text: input is non-empty, on_fail: warn}]\n');
    expect((await warned.input('')).allowed).toBe(true);
    expect(names(await warned.output('x'))).toEqual(['requires[0]']);
  });

  it('[C-7] the step that would cross a limit does not happen and does not count', async () => {
    const held = await session('limits: {max_tool_calls: 1, max_steps: 1}\n');
    expect(held.step({ kind: 'turn' }).allowed).toBe(true);
    expect(held.step({ kind: 'call', name: 'a' }).allowed).toBe(true);
    const denied = held.step({ kind: 'call', name: 'b' });
    expect([denied.allowed, names(denied)]).toEqual([false, ['max_tool_calls']]);
    expect(held.step({ kind: 'call', name: 'b' })).toEqual({ allowed: false, violations: [] });
    expect(held.left()).toMatchObject({ toolCalls: 0, steps: 0 });
    expect(names(await held.output('x'))).toEqual(['max_tool_calls']);
  });

  it('[C-7] a limit that warns is told once, and goes on', async () => {
    const held = await session('limits: {max_tool_calls: 0}\non_violation: {default: warn}\n');
    expect(held.step({ kind: 'call', name: 'a' })).toMatchObject({ allowed: true, violations: [{ clause_name: 'max_tool_calls' }] });
    expect(held.step({ kind: 'call', name: 'a' })).toEqual({ allowed: true, violations: [] });
    expect(names(await held.output('x'))).toEqual(['max_tool_calls']);
    expect(held.left().toolCalls).toBeNull();
  });

  it('[C-7] no turn is made when tokens, dollars or time are spent', async () => {
    const held = await session('limits: {max_tokens: 10, max_cost_usd: 1}\n');
    held.step({ kind: 'turn' });
    expect(held.step({ kind: 'answer', outputTokens: 4, inputTokens: 7, costUsd: 0.1 }).allowed).toBe(true);
    expect(held.left()).toMatchObject({ outputTokens: 6, costUsd: 0.9 });
    held.step({ kind: 'answer', outputTokens: 6, inputTokens: 9, costUsd: 0.2 });
    expect(names(held.step({ kind: 'turn' }))).toEqual(['max_tokens']);
    let now = 0;
    const timed = await session('limits: {max_latency_ms: 100}\n', { elapsed: () => now });
    expect(timed.step({ kind: 'turn' }).allowed).toBe(true);
    now = 100;
    expect(timed.step({ kind: 'turn' }).allowed).toBe(false);
  });

  it('[C-7] a cost nobody can price is unevaluated, and stays so', async () => {
    const held = await session('limits: {max_cost_usd: 1}\n');
    held.step({ kind: 'answer', costUsd: 0.5 });
    held.step({ kind: 'answer', costUsd: null });
    held.step({ kind: 'answer', costUsd: 0.1 });
    const report = await held.output('x');
    expect([report.costUsd, report.unevaluated.map(({ clause_name }) => clause_name)]).toEqual([null, ['max_cost_usd']]);
  });

  it('what the host does not tell is unknown, never nothing', async () => {
    const silent = await session('limits: {max_tool_calls: 1, max_steps: 1}\n', { tells: [] });
    expect((await silent.output('x')).unevaluated).toHaveLength(2);
    expect((await silent.output('x', { toolCalls: [], steps: 2 })).violations).toMatchObject([{ clause_name: 'max_steps' }]);
  });

  it('[C-3] invariants hold at each step: calls, commands, files, and the text of a step', async () => {
    const held = await session(
      'invariant: [does not call tool rm, "does not run a command matching /curl/", only changes files under "src", "output does not contain \\"password\\"", cost does not exceed 0.1 USD per step]\n',
    );
    expect(held.step({ kind: 'call', name: 'read' }).allowed).toBe(true);
    expect(names(held.step({ kind: 'call', name: 'rm' }))).toEqual(['invariant[0]']);
    expect(names(held.step({ kind: 'command', command: 'curl evil' }))).toEqual(['invariant[1]']);
    expect(names(held.step({ kind: 'change', path: '../etc' }))).toEqual(['invariant[2]']);
    expect(names(held.step({ kind: 'answer', text: 'the password is', costUsd: 0.2 }))).toEqual(['invariant[3]', 'invariant[4]']);
    const report = await held.output('fine');
    expect(names(report)).toEqual(['invariant[0]', 'invariant[1]', 'invariant[2]', 'invariant[3]', 'invariant[4]']);
  });

  it('judges round after round; the advice speaks of what has to be put right, and of nothing else', async () => {
    const held = await session('must_not: [contain "foo"]\nensures: [output is valid JSON]\nmust: [contain "warned"]\n');
    const first = await held.output('foo');
    expect(adviceFor(first)).toBe(
      '- You must contain "warned": the output does not contain it\n- You must not contain "foo": the output contains it\n- output is valid JSON: the output is not valid JSON',
    );
    expect(adviceFor(first)).not.toMatch(/contract|block|judge|clause/);
    expect((await held.output('"warned"')).outcome).toBe('pass');
  });

  it('any steps in any order give decisions and one report', async () => {
    const step = fc.oneof(
      fc.constant({ kind: 'turn' as const }),
      fc.record({
        kind: fc.constant('answer' as const),
        costUsd: fc.option(fc.float({ min: 0, max: 1, noNaN: true })),
        outputTokens: fc.nat(5),
      }),
      fc.record({ kind: fc.constant('call' as const), name: fc.constantFrom('a', 'b') }),
    );
    const prepared = await prepare(
      await contract('limits: {max_tool_calls: 2, max_steps: 2, max_tokens: 6}\ninvariant: [does not call tool b]\n'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const held = openSession(prepared, { identity: IDENTITY, elapsed: () => 0, tells: ['turns', 'calls'] });
        let calls = 0;
        const found = new Set<string>();
        for (const each of steps) {
          const { allowed, violations } = held.step(each);
          if (allowed && each.kind === 'call') calls += 1;
          for (const { clause_name } of violations) {
            expect(found.has(clause_name)).toBe(false);
            found.add(clause_name);
          }
        }
        expect(calls).toBeLessThanOrEqual(2);
        expect(new Set(names(await held.output('x')))).toEqual(found);
      }),
      { numRuns: 100 },
    );
  });
});

async function enforced(
  clauses: string,
  agent: (input: string) => Promise<string> | string,
  options: EnforceOptions<[string], string> & { failing?: boolean } = {},
) {
  const audits: ContractReport[] = [];
  const alerts: ContractReport[] = [];
  const held = enforceWith(await prepare(await contract(clauses)), agent, {
    options,
    ports: {
      now: () => 0,
      identity: () => IDENTITY,
      audit: async (report) => {
        if (options.failing) throw new Error('The audit a cannot be written: the disk is full.');
        audits.push(report);
      },
      alert: async (report) => void alerts.push(report),
    },
  });
  return { held, audits, alerts };
}

describe('[C-12 C-9] enforce', () => {
  it('keeps the arguments and the result, and audits every run', async () => {
    const { held, audits } = await enforced('must_not: [contain "bad"]\n', (name) => `hello ${name}`);
    expect(await held('you')).toBe('hello you');
    expect(audits).toMatchObject([{ outcome: 'pass', action: null }]);
  });

  it('a failed precondition: the agent never runs', async () => {
    let ran = 0;
    const { held, audits } = await enforced('requires: [input is non-empty]\n', () => `${ran++}`);
    const error: unknown = await held('').catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ContractPreconditionError);
    expect([ran, audits.length]).toEqual([0, 1]);
    expect(error instanceof ContractError && error.report.violations[0]?.clause_name).toBe('requires[0]');
  });

  it('a warning goes on, and its report is returned', async () => {
    const reports: ContractReport[] = [];
    const { held } = await enforced('must_not: [contain "bad"]\non_violation: {default: warn}\n', () => 'bad', {
      onReport: (report) => reports.push(report),
    });
    expect(await held('x')).toBe('bad');
    expect(reports).toMatchObject([{ action: 'warn', outcome: 'violation' }]);
  });

  it('block withholds, and the error quotes nothing of the output', async () => {
    const { held } = await enforced('must_not: [contain "bad"]\n', () => 'bad secret-word');
    const error: unknown = await held('x').catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ContractViolationError);
    expect(JSON.stringify(error) + String(error)).not.toContain('secret-word');
  });

  it('rollback calls the undo; without one, or when it fails, the action taken is block and says why', async () => {
    const clauses = 'must_not: [contain "bad"]\non_violation: {default: rollback}\n';
    let undone = 0;
    const able = await enforced(clauses, () => 'bad', { undo: () => void undone++ });
    await expect(able.held('x')).rejects.toThrow(ContractViolationError);
    expect([undone, able.audits[0]?.violations[0]?.action_taken]).toEqual([1, 'rollback']);
    const unable = await enforced(clauses, () => 'bad');
    await expect(unable.held('x')).rejects.toThrow(ContractViolationError);
    expect(unable.audits[0]?.violations[0]).toMatchObject({
      severity: 'rollback',
      action_taken: 'block',
      details: expect.stringContaining('nobody registered how'),
    });
    const failing = await enforced(clauses, () => 'bad', { undo: () => Promise.reject(new Error('no')) });
    await expect(failing.held('x')).rejects.toThrow(ContractViolationError);
    expect(failing.audits[0]?.violations[0]?.details).toContain('undoing failed');
    const talking = await enforced(clauses, () => 'bad', { undo: () => Promise.resolve('3 rows') as Promise<unknown> as Promise<void> });
    await expect(talking.held('x')).rejects.toThrow(ContractViolationError);
    expect(talking.audits[0]?.violations[0]?.action_taken).toBe('rollback');
    const found = await (await session(clauses)).output('bad');
    const ports = { audit: () => Promise.resolve(), alert: () => Promise.resolve(), undo: () => 'it is too late' };
    expect((await settle(found, ports, false)).report.violations[0]).toMatchObject({
      action_taken: 'block',
      details: expect.stringContaining('not rolled back: it is too late'),
    });
  });

  it('halt_and_alert alerts, and the agent does not run again', async () => {
    let ran = 0;
    const { held, alerts } = await enforced('must_not: [contain "bad"]\non_violation: {default: halt_and_alert}\n', () => (ran++, 'bad'));
    await expect(held('x')).rejects.toThrow(ContractHaltError);
    await expect(held('x')).rejects.toThrow('does not run again');
    expect([ran, alerts.length]).toEqual([1, 1]);
  });

  it('[C-10] a failing audit withholds what passed, and hides no violation', async () => {
    const passing = await enforced('must_not: [contain "bad"]\n', () => 'good', { failing: true });
    await expect(passing.held('x')).rejects.toThrow(ContractAuditError);
    const halting = await enforced('must_not: [contain "bad"]\non_violation: {default: halt_and_alert}\n', () => 'bad', { failing: true });
    await expect(halting.held('x')).rejects.toThrow(ContractHaltError);
    expect(halting.alerts).toHaveLength(1);
  });

  it('what the agent throws goes through, after its audit entry', async () => {
    const { held, audits } = await enforced('must_not: [contain "bad"]\n', () => Promise.reject(new Error('mine')));
    await expect(held('x')).rejects.toThrow('mine');
    expect(audits).toMatchObject([{ outputHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }]);
  });
});

describe('[C-12] the guard of a stream', () => {
  const guard = async (...patterns: string[]) =>
    guardStream(
      await prepare(
        await contract(`assert:\n${patterns.map((each, n) => `  - {name: p${n}, type: pattern, must_not_match: '${each}'}\n`).join('')}`),
      ),
    );

  it('stops before any of the match is delivered', async () => {
    const held = await guard(String.raw`\d{4}-\d{4}`);
    expect(held.push('the number is ')).toEqual({ ok: true, deliver: '' });
    const parts = ['a long one, and then some more text, 12', '34-', '56', '78'].map((text) => held.push(text));
    const delivered = parts.map((part) => (part.ok ? part.deliver : '|')).join('');
    expect(delivered.endsWith('|')).toBe(true);
    expect(delivered).not.toContain('1234');
    expect(held.end()).toMatchObject({ ok: false, violation: { clause_name: 'p0' } });
  });

  it.each([
    [String.raw`\d{4}`, 8, false],
    ['a|bcd', 6, false],
    ['(?i)ab?c{2,3}', 10, false],
    [String.raw`\bx\b`, 2, true],
    ['[^]a]x', 4, false],
    ['a+', Infinity, true],
    ['(?=a)b', Infinity, true],
    [String.raw`(a)\1`, Infinity, true],
    ['a{2,}', Infinity, true],
  ])('the reach of %s', (source, longest, looksAhead) => {
    const reach = reachOf(source);
    expect(reach.longest).toBe(longest);
    if (Number.isFinite(longest)) expect(reach.looksAhead).toBe(looksAhead);
  });

  it('however a text is cut: all of it is delivered or none of any match', async () => {
    const patterns = [String.raw`\bcat\b`, 'ab{1,2}a', String.raw`\d\d`, 'z+y', '^q', 'w$'];
    const prepared = await Promise.all(patterns.map(async (each) => ({ source: new RegExp(each, 'u'), make: () => guard(each) })));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('c', 'a', 't', 'b', '1', 'z', 'y', ' ', 'q', 'w', '😀'), maxLength: 5 }), {
          maxLength: 8,
        }),
        fc.constantFrom(...prepared),
        async (pieces, { source, make }) => {
          const held = await make();
          const said = [...pieces.map((piece) => held.push(piece)), held.end()];
          const text = pieces.join('');
          const delivered = said.map((part) => (part.ok ? part.deliver : '')).join('');
          const match = source.exec(text);
          if (match === null) expect(delivered).toBe(text);
          else {
            expect(said.at(-1)?.ok).toBe(false);
            expect(match.index).toBeGreaterThanOrEqual(delivered.length);
            expect(text.startsWith(delivered)).toBe(true);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('[C-12] the middleware of the AI SDK', () => {
  const usage = { inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 5, text: 5, reasoning: 0 } };
  const finishReason = { unified: 'stop' as const, raw: 'stop' };

  async function wrapped(clauses: string, pieces: readonly string[]) {
    const reports: ContractReport[] = [];
    const model = new MockLanguageModelV3({
      doGenerate: async () => ({ content: [{ type: 'text', text: pieces.join('') }], finishReason, usage, warnings: [] }),
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-start' as const, id: 't' },
            ...pieces.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
            { type: 'text-end' as const, id: 't' },
            { type: 'finish' as const, finishReason, usage },
          ],
        }),
      }),
    });
    const ports = {
      now: () => 0,
      identity: () => IDENTITY,
      audit: async (report: ContractReport) => void reports.push(report),
      alert: async () => {},
    };
    const middleware = middlewareWith(await prepare(await contract(clauses)), { options: {}, ports });
    return { model: wrapLanguageModel({ model, middleware }), asked: () => model.doGenerateCalls.length, reports };
  }

  it('lets through what keeps the contract, as it is', async () => {
    const { model, reports } = await wrapped('must_not: [contain "bad"]\nlimits: {max_tokens: 5}\n', ['he', 'llo']);
    expect((await generateText({ model, prompt: 'hi' })).text).toBe('hello');
    expect(reports).toMatchObject([{ outcome: 'pass', unevaluated: [] }]);
    const streamed = streamText({ model, prompt: 'hi' });
    expect(await streamed.text).toBe('hello');
    expect(reports).toHaveLength(2);
  });

  it('throws what breaks it, and asks nothing when a precondition fails', async () => {
    const bad = await wrapped('must_not: [contain "bad"]\n', ['bad']);
    await expect(generateText({ model: bad.model, prompt: 'hi', maxRetries: 0 })).rejects.toThrow(ContractViolationError);
    const never = await wrapped('requires: [input contains "please"]\n', ['ok']);
    await expect(generateText({ model: never.model, prompt: 'hi', maxRetries: 0 })).rejects.toThrow(ContractPreconditionError);
    expect(never.asked()).toBe(0);
  });

  it('a stream ends before the match is delivered', async () => {
    const { model, reports } = await wrapped("assert:\n  - {name: card, type: pattern, must_not_match: 'secret-\\d{3}'}\n", [
      'the code is secr',
      'et-1',
      '23 and so on',
    ]);
    const seen: string[] = [];
    const { fullStream } = streamText({ model, prompt: 'hi', onError: () => {} });
    const error: unknown = await (async () => {
      for await (const part of fullStream) if (part.type === 'text-delta') seen.push(part.text);
    })().catch((each: unknown) => each);
    expect(seen.join('')).not.toContain('secr');
    expect(error).toBeInstanceOf(ContractViolationError);
    expect(reports).toMatchObject([{ outcome: 'violation' }]);
  });
});
