import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact, RecordEvent, RunView } from '../src/index.js';
import { createBriefly, createRunFold, foldRun } from '../src/index.js';
import { DECISIONS_KEPT } from '../src/stage-fold.js';
import { EVERY, EVERY_FACT } from './every-event.js';
import { plantExhausted, plantSuccess } from './plant-run.js';

/** As read back: with times a second apart. */
const stamp = (facts: readonly Fact[]): RecordEvent[] =>
  facts.map((fact, n) => ({ ...fact, ts: new Date(Date.UTC(2026, 6, 30) + n * 1000).toISOString(), prev: '' }));
const fold = (...facts: Fact[]): RunView => {
  const view = foldRun(stamp([EVERY.run_start, ...facts]));
  if (view === null) throw new Error('no run_start');
  return view;
};
function planted(plant: (folder: string) => void): RunView | null {
  const folder = mkdtempSync(join(tmpdir(), 'fold-'));
  try {
    plant(folder);
    const lines = readFileSync(join(folder, 'record.jsonl'), 'utf8').trimEnd().split('\n');
    return foldRun(lines.map((line): RecordEvent => JSON.parse(line)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const check = (retry: number, exit: number, words = 'a'): Fact => ({
  ...EVERY.check,
  retry,
  exit,
  overflow: undefined,
  capture_sha256: words.repeat(64),
});
const end = (attempts: number, cause: 'success' | 'exhausted'): Fact => ({ ...EVERY.stage_end, attempts, cause });
const start = (retries: number): Fact => ({ ...EVERY.stage_start, options: { retries: { value: retries, from: 'default' } } });

describe('the fold', () => {
  it('[R-10] tells a run: what was asked, what ran, how it ended, what it cost', () => {
    const view = planted(plantSuccess);
    expect(view).toMatchObject({
      run: '2026-07-30T14-22-08-a3f9',
      flow: 'triage',
      request: { path: 'request.txt', from: 'argument' },
      started: '2026-07-30T14:22:08.000Z',
      ms: 3750,
      ending: { exit: 0, cause: 'success' },
      usage: { turns: 3, input: 4650, output: 618, cache_read: 0, cache_write: null, unpriced: 0 },
      events: 16,
    });
    expect(view?.usage.cost_usd).toBeCloseTo(0.0165);
    expect(view?.stages.map(({ stage, state, ms }) => ({ stage, state, ms }))).toEqual([
      { stage: '01-classify', state: 'ended', ms: 1000 },
      { stage: '02-draft', state: 'ended', ms: 2000 },
    ]);
  });

  it('[R-10] a clock that was set back makes no time negative', () => {
    const facts: Fact[] = [EVERY.run_start, EVERY.stage_start, EVERY.stage_end];
    const view = foldRun(
      facts.map((fact, n) => ({ ...fact, ts: new Date(Date.UTC(2026, 6, 30) - n * 3_600_000).toISOString(), prev: '' })),
    );
    expect([view?.ms, view?.stages.map(({ ms }) => ms)]).toEqual([0, [0]]);
  });

  it('[R-10] tells a stage: what it received and produced, what judged it, what the model was first asked', () => {
    const stage = planted(plantSuccess)?.stages[1];
    expect(stage).toMatchObject({
      received: [{ name: 'output.txt', path: 'stages/01-classify/1/1/output.txt' }],
      models: ['anthropic/claude-sonnet-5'],
      prompt: { first_turn_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      rounds: [
        { round: 1, verdict: 'failed', turns: 1, checks: [{ check: 'gate', file: 'gate/02-sections', exit: 1, passed: false }] },
        { round: 2, verdict: 'passed', turns: 1, checks: [{ check: 'gate', exit: 0, passed: true }] },
      ],
      ending: { cause: 'success', sealed: true, output: { path: 'stages/02-draft/1/2/output.txt' } },
      flags: [],
    });
  });

  it('[R-5] flags feedback that repeated unchanged', () => {
    expect(planted(plantExhausted)?.stages[1]?.flags).toEqual(['feedback-repeated']);
    expect(fold(start(2), check(1, 1, 'a'), check(2, 1, 'b'), end(3, 'exhausted')).stages[0]?.flags).toEqual([]);
  });

  it.each([
    [1, 2, 'success', ['passed-on-last-round']],
    [2, 2, 'success', []],
    [0, 1, 'success', []],
    [1, 2, 'exhausted', []],
  ] as const)('[R-5] with %i retries and %i attempts ending in %s flags %j', (retries, attempts, cause, flags) => {
    expect(fold(start(retries), end(attempts, cause)).stages[0]?.flags).toEqual(flags);
  });

  it('[R-4 R-10] leaves no event untold', () => {
    const view = foldRun(stamp(EVERY_FACT));
    expect(view).toMatchObject({
      correlation: 'ticket 7',
      continued_from: '2026-07-30T14-00-00-0000',
      signals: ['SIGINT'],
      authorizations: [{ id: '1', state: 'granted' }],
      contract_events: 1,
      governance_events: 1,
      ending: { cause: 'signal', pending: ['1'] },
      containers: [
        { stage: 'd', type: 'CHOOSE', chose: 'x', declined: ['y'] },
        { stage: 'e', type: 'LOOP', repeats: 2, ended_by: 'stop' },
        { stage: 'f', type: 'PARALLEL', branches: { x: 'success', y: 'fault' } },
        { stage: 'g', type: 'FANOUT', items: 3, cause: 'success' },
      ],
      subflows: [{ stage: 'a', n: 1, flow: 'f', ending: { cause: 'success' } }],
    });
    expect(view?.stages.map(({ stage, state, from }) => [stage, state, from])).toEqual([
      ['a', 'ended', undefined],
      ['b', 'carried', '2026-07-30T14-00-00-0000'],
      ['c', 'reused', '2026-07-30T14-00-00-0000'],
    ]);
    expect(view?.stages[0]).toMatchObject({
      worker: 'w-1',
      provider_retries: 1,
      hooks: [{ hook: 'success', passed: true }],
      drift: [{ file: 'gate.sh' }],
      decisions: [{ decision: 'skipped', item: 2, evidence: 'e', reason: 'r' }],
      teardown: 'busy',
      rounds: [{ checks: [{ passed: false, exit: null, overflow: true }] }],
    });
  });

  it('[G-12] tells a stage that took over earlier work: its checks, its end, and no attempt of its own', () => {
    const reused: Fact = { ...EVERY.stage_reused, stage: 'a' };
    const [stage] = fold(start(0), check(0, 0), reused, end(0, 'success'), { ...EVERY.tmp_teardown, stage: 'a' }).stages;
    expect(stage).toMatchObject({
      ...{ state: 'reused', from: reused.from, ms: 3000, usage: { turns: 0 }, flags: [] },
      ...{ rounds: [{ round: 0, verdict: 'passed' }], ending: { cause: 'success', attempts: 0 } },
    });
  });

  it('[G-12 R-5] the words that earlier work earned are no feedback to the agent that works then', () => {
    const [stage] = fold(start(2), check(0, 1), check(1, 1), check(2, 0), end(2, 'success')).stages;
    expect(stage).toMatchObject({ state: 'ended', flags: [], rounds: [{ round: 0 }, { round: 1 }, { round: 2, verdict: 'passed' }] });
    expect(stage?.from).toBeUndefined();
  });

  it('[G-12] earlier work under a record that was changed then is no work taken over', () => {
    const [stage] = fold(
      start(2),
      check(0, 0),
      { ...EVERY.stage_reused, stage: 'a' },
      { ...EVERY.stage_end, attempts: 0, cause: 'fault' },
    ).stages;
    expect(stage).toMatchObject({ state: 'ended', ending: { cause: 'fault' } });
  });

  it('[R-4] keeps the repeats of a stage apart', () => {
    const view = fold({ ...EVERY.stage_start, repeat: 1 }, { ...EVERY.stage_end, repeat: 1 }, { ...EVERY.stage_start, repeat: 2 });
    expect(view.stages.map(({ repeat, state }) => [repeat, state])).toEqual([
      [1, 'ended'],
      [2, 'running'],
    ]);
  });

  it('[R-4] says unknown where no turn told, and how many turns have no price', () => {
    const untold = { ...EVERY.turn, input: null, output: null, cost_usd: null };
    expect(fold(untold).usage).toMatchObject({ input: null, output: null, cost_usd: null, unpriced: 1 });
    expect(fold(untold, EVERY.turn).usage).toMatchObject({ turns: 2, input: 10, cost_usd: 0.5, unpriced: 1 });
  });

  it('[R-10] counts the decisions it does not keep', () => {
    const stage = fold(...Array.from({ length: DECISIONS_KEPT + 3 }, () => EVERY.tool_call)).stages[0];
    expect(stage?.decisions).toHaveLength(DECISIONS_KEPT);
    expect(stage?.decisions_omitted).toBe(3);
  });

  it('[R-10 G-6] a fan-out is told from its start, and whole once it is over', () => {
    const begun = {
      stage: EVERY.fanout_start.stage,
      type: 'FANOUT',
      items: EVERY.fanout_start.items,
      subflow: 'f',
      width: EVERY.fanout_start.width,
    };
    expect(fold(EVERY.fanout_start).containers).toEqual([{ ...begun, subflow: EVERY.fanout_start.subflow, concurrent: null, cause: null }]);
    const { items, concurrent, cause } = EVERY.fanout_done;
    const done = fold(EVERY.fanout_start, { ...EVERY.fanout_done, stage: EVERY.fanout_start.stage }).containers;
    expect(done).toEqual([{ ...begun, subflow: EVERY.fanout_start.subflow, items, concurrent, cause }]);
  });

  it('[R-10 G-3 G-4 G-5] every other container is told by its closing event, with the repeat it stands in', () => {
    const facts = [{ ...EVERY.chose, repeat: 2 }, EVERY.loop_done, { ...EVERY.parallel_done, repeat: 2 }];
    expect(fold(...facts).containers).toMatchObject([
      { type: 'CHOOSE', repeat: 2, chose: 'x', declined: ['y'], reason: 'r' },
      { type: 'LOOP', repeats: EVERY.loop_done.repeats, ended_by: EVERY.loop_done.ended_by },
      { type: 'PARALLEL', repeat: 2, branches: EVERY.parallel_done.branches, concurrent: EVERY.parallel_done.concurrent },
    ]);
  });

  it('[R-10 G-7] a child run is open until its end is reported, and knows the attempt that called it', () => {
    const called = { ...EVERY.subflow_start, retry: 2 };
    expect(fold(called).subflows).toMatchObject([{ n: 1, retry: 2, ending: null }]);
    expect(fold(called, { ...EVERY.subflow_call, retry: 2 }).subflows).toMatchObject([{ n: 1, retry: 2, ending: { cause: 'success' } }]);
    const child = { stage: 'a', retry: 1, n: 1, depth: 1 };
    expect(foldRun(stamp([{ ...EVERY.run_start, child }]))?.child).toEqual(child);
  });

  it('[R-6] folds every prefix and every order of events', () => {
    for (let length = 0; length <= EVERY_FACT.length; length += 1) {
      expect(foldRun(stamp(EVERY_FACT.slice(0, length))) === null).toBe(length === 0);
    }
    fc.assert(
      fc.property(fc.shuffledSubarray([...EVERY_FACT]), (facts) => {
        expect(foldRun(stamp(facts)) === null).toBe(!facts.some(({ event }) => event === 'run_start'));
      }),
    );
  });

  it('[R-10 Q-9] keeps of stages that are over what a reading asks for: how they went and what failed', () => {
    const whole = foldRun(stamp(EVERY_FACT));
    const fold = createRunFold(createBriefly());
    for (const event of stamp(EVERY_FACT)) fold.add(event);
    const brief = fold.view();
    if (whole === null || brief === null) throw new Error('nothing was folded');
    expect({ ...brief, stages: null }).toEqual({ ...whole, stages: null });
    expect(
      brief.stages.map(({ stage, repeat, state, ms, usage, models, flags, drift, teardown }) => [
        stage,
        repeat,
        state,
        ms,
        usage,
        models,
        flags,
        drift,
        teardown,
      ]),
    ).toEqual(
      whole.stages.map(({ stage, repeat, state, ms, usage, models, flags, drift, teardown }) => [
        stage,
        repeat,
        state,
        ms,
        usage,
        models,
        flags,
        drift,
        teardown,
      ]),
    );
    const failures = (view: typeof whole) =>
      view.stages.map(({ rounds, hooks }) => [
        rounds.map(({ round, checks }) => [round, checks.filter(({ passed }) => !passed)]),
        hooks.filter(({ passed }) => !passed),
      ]);
    expect(failures(brief)).toEqual(failures(whole));
    for (const stage of brief.stages.filter(({ state }) => state === 'ended'))
      expect([stage.received, stage.decisions, stage.prompt]).toEqual([[], [], undefined]);
  });

  it('[R-5 R-10] knows the teardown that follows the end of a stage, whichever stage spoke between', () => {
    const { stage_start: start, stage_end: end, tmp_teardown: teardown } = EVERY;
    const one = { stage: '01-one' };
    const other = { stage: '02-other' };
    const facts = [
      EVERY.run_start,
      { ...start, ...one },
      { ...start, ...other },
      { ...end, ...one },
      { ...end, ...other },
      { ...teardown, ...one },
    ];
    expect(foldRun(stamp(facts))?.stages.map(({ stage, state, teardown: left }) => [stage, state, left])).toEqual([
      ['01-one', 'ended', teardown.reason],
      ['02-other', 'ended', undefined],
    ]);
  });
});
