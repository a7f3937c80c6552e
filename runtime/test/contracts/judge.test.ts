import { afterAll, describe, expect, it } from 'vitest';
import type { JudgeQuestion } from '@gated-flow/contract';
import { judgingBy } from '../../src/contract/judging.js';
import { judgesOf } from '../../src/plan/model/judges.js';
import type { Intelligence } from '../../src/plan/plan.js';
import type { Turn } from '../../src/ports/model.js';
import { openBudget } from '../../src/run/budget.js';
import { createManualClock } from '../../src/testing/manual-clock.js';
import { clear, go, stage, stops, wrote } from '../run/ground.js';
import { auditOf, contract, told } from './ground.js';

afterAll(clear);

const KIND = { '01-a/STAGE.md': stage(), '01-a/x.contract.yaml': contract('must:\n  - {text: be kind, judge: llm}\n') };
const says = (verdict: 'PASS' | 'FAIL', reason = ''): Record<string, unknown> => ({ judge: 'be kind', verdict, reason });

describe('[M-4] the judge of a scripted run', () => {
  it('[C-6 M-5 C-13] answers from the script; its reason is told to the agent and never audited', async () => {
    const ran = await go(KIND, [
      wrote('01-a', 'go away'),
      stops('01-a'),
      wrote('01-a', 'welcome'),
      stops('01-a'),
      says('FAIL', 'too short a greeting'),
      says('PASS'),
    ]);
    expect(ran.cause()).toBe('success');
    expect(told(ran)).toEqual(['1 x.contract.yaml/must[0] block']);
    expect(JSON.stringify(ran.requests[2]?.messages.at(-1))).toContain('You must be kind: too short a greeting');
    expect(ran.read('audit.jsonl')).not.toContain('greeting');
    expect(auditOf(ran)).toHaveLength(2);
  });

  it('[C-4 M-5] that has no verdict left leaves the clause unevaluated; so does a rehearsal', async () => {
    const ran = await go(KIND, [wrote('01-a', 'x'), stops('01-a')]);
    expect([ran.cause(), auditOf(ran)[0]?.unevaluated]).toEqual(['success', ['must[0]']]);
    const rehearsed = await go(KIND, [], { rehearse: true });
    expect([rehearsed.cause(), auditOf(rehearsed)[0]?.unevaluated]).toEqual(['success', ['must[0]']]);
  });

  it('[C-6] an assertion of type llm passes by the answer it names', async () => {
    const asks = contract('assert:\n  - {name: cites, description: x, type: llm, prompt: Does it cite?, pass_when: "YES"}\n');
    const ran = await go({ '01-a/STAGE.md': stage('Write.', 'retries: 0\n'), '01-a/x.contract.yaml': asks }, [
      wrote('01-a', 'x'),
      stops('01-a'),
      { judge: 'Does it cite?', verdict: 'PASS' },
    ]);
    expect([ran.cause(), auditOf(ran)[0]?.unevaluated]).toEqual(['success', undefined]);
  });
});

describe('[M-4] the judge of a run with models', () => {
  const row = (provider: string, model: string): Intelligence => ({ provider, model, apiKeyEnv: 'K' });
  const agent = { intelligence: row('anthropic', 'claude-sonnet-5-5') };
  const rows = (...all: readonly unknown[]): Parameters<typeof judgesOf>[1] => JSON.parse(JSON.stringify(all));

  it('[M-4] is the row `judge`, else the small model of the agent’s provider, reached the same way', () => {
    const own = row('openai', 'gpt-x');
    expect(judgesOf({ intelligences: { judge: own } }, rows(agent))).toEqual([own]);
    expect(judgesOf({ intelligences: {} }, rows(agent, agent))).toEqual([
      { provider: 'anthropic', model: 'claude-haiku-4-5', apiKeyEnv: 'K' },
    ]);
    expect(judgesOf({ intelligences: {} }, rows({ intelligence: row('ollama', 'x') }, { intelligence: null }))).toEqual([]);
  });

  const question: JudgeQuestion = { clause: 'c', passes: 'PASS', system: 's', prompt: 'p', schema: {} };
  const judgeBy = (turn: Turn, limit?: number) => {
    const asked: unknown[] = [];
    const budget = openBudget(limit);
    const judging = judgingBy({ judges: 'models' }, [row('anthropic', 'small')], {
      clock: createManualClock(),
      ids: { hex: (digits) => 'a'.repeat(digits), fraction: () => 0 },
      stop: { signal: new AbortController().signal, reason: () => null },
      budget,
      openModel: async () => ({
        ok: true,
        model: { source: 'provider', open: () => ({ next: async (request) => (asked.push(request), turn) }) },
      }),
    });
    return { judging, budget, asked };
  };
  const answer: Turn = {
    ...{
      turn: 'answer',
      text: '{"verdict":"PASS","reason":""}',
      calls: [],
      stop: 'end',
      provider: 'anthropic',
      model: 'small',
      costUsd: 0.5,
    },
    usage: { input: 1, output: 1, cache_read: 0, cache_write: 0 },
  };

  it('[C-6 C-7] is asked in a session of its own without tools, and its cost counts in the run', async () => {
    const { judging, budget, asked } = judgeBy(answer, 0.4);
    const [judge] = judging?.candidates() ?? [];
    expect(judge?.name).toBe('anthropic/small');
    expect(await judge?.ask(question)).toMatchObject({ ok: true, costUsd: 0.5 });
    expect(asked).toMatchObject([{ system: 's', tools: [], messages: [{ role: 'user', text: 'p' }] }]);
    expect(budget.spentUsd).toBe(0.5);
    expect(await judge?.ask(question)).toMatchObject({ ok: false, message: expect.stringContaining('--max-cost') });
    expect(asked).toHaveLength(1);
  });

  it('[C-6] that cannot be reached says why, which is a violation', async () => {
    const { judging } = judgeBy({ turn: 'failed', failure: 'permanent', provider: 'anthropic', model: 'small', message: 'no such key' });
    const [judge] = judging?.candidates() ?? [];
    expect(await judge?.ask(question)).toEqual({ ok: false, message: 'anthropic/small: the call failed: no such key.' });
  });

  it('[C-6] a model that an assertion names comes before it, on its own provider or on the one it names', () => {
    const { judging } = judgeBy(answer);
    const names = (model: string) => judging?.candidates(model).map(({ name }) => name);
    expect([names('claude-x'), names('openai/gpt-y'), names('org/model')]).toEqual([
      ['anthropic/claude-x', 'anthropic/small'],
      ['openai/gpt-y', 'anthropic/small'],
      ['anthropic/org/model', 'anthropic/small'],
    ]);
  });
});
