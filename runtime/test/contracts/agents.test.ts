/** Contracts over agents that are no plain stage: a choice's, the one that works with all flows, and several at once. */
import { verifyRun } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import { calls, clear, go, stage, stops, type Tree, wrote } from '../run/ground.js';
import { auditOf, contract, told } from './ground.js';

afterAll(clear);

const HALTS = contract('must_not:\n  - contain "foo"\non_violation: {default: halt_and_alert}\n');

describe('[C-13 G-4] the agent of a choice', () => {
  const TREE: Tree = {
    '01-way/CHOOSE.md': '---\n---\nLook at it.\n\n- `fix` when it is small\n- `wait` otherwise\n',
    '01-way/fix.md': stage(),
    '01-way/wait.md': stage(),
    '02-end.md': stage(),
  };
  const selects = calls('01-way', 'select', { name: 'fix', reason: 'small' });
  const work = ['01-way/fix', '02-end'].flatMap((name) => [wrote(name, 'done'), stops(name)]);
  const under = (clauses: string) => ({ root: { 'a.contract.yaml': contract(clauses) } });

  it('[C-13 P-1 C-10 C-4] is told what is asked, has entries of its own, and what needs an output holds nothing back', async () => {
    const ran = await go(
      TREE,
      [selects, ...work],
      under('must:\n  - contain "done"\n  - be quick\nlimits: {max_steps: 5}\ncan: [ask the reader]\n'),
    );
    expect(ran.cause()).toBe('success');
    expect(ran.requests[0]?.system).toContain('You must be quick.');
    expect(ran.told('check').map(({ stage: of, check, exit }) => `${of} ${check} ${exit}`)).toEqual([
      '01-way question 0',
      '01-way contract 0',
      '01-way/fix output 0',
      '01-way/fix contract 0',
      '02-end output 0',
      '02-end contract 0',
    ]);
    expect(ran.told('check')[1]?.unevaluated).toEqual([
      { contract: 'a.contract.yaml', clause_name: 'must[0]', reason: 'there is no output' },
      { contract: 'a.contract.yaml', clause_name: 'must[1]', reason: 'no program can decide this sentence, and it has no judge' },
    ]);
    expect(auditOf(ran).map(({ outcome, unevaluated }) => [outcome, unevaluated])).toEqual([
      ['pass', ['must[0]', 'must[1]']],
      ['pass', ['must[1]']],
      ['pass', ['must[1]']],
    ]);
    expect(await verifyRun(ran.outcome.folder)).toMatchObject({ verified: true, differences: [] });
  });

  it('[C-13 C-3] does not run when a precondition fails', async () => {
    const ran = await go(TREE, [], under('requires:\n  - input contains "please"\n'));
    expect(ran.outcome).toMatchObject({ stage: '01-way', ending: { cause: 'rejected', exit: 1 } });
    expect(ran.requests).toEqual([]);
  });

  it('[C-13 C-7] is stopped before the call that would cross a limit', async () => {
    const ran = await go(TREE, [calls('01-way', 'read', { path: '$INPUT/request.txt' }), selects], under('limits: {max_tool_calls: 0}\n'));
    expect(ran.outcome).toMatchObject({
      stage: '01-way',
      ending: { cause: 'rejected', reason: expect.stringContaining('max_tool_calls') },
    });
  });

  it('[C-13] is rejected for what its work took, once it has selected', async () => {
    const ran = await go(TREE, [selects, ...work], {
      ...under('assert:\n  - {name: cheap, description: x, type: cost, max_usd: 0.01}\n'),
      costUsd: 0.5,
    });
    expect(ran.outcome).toMatchObject({ stage: '01-way', ending: { cause: 'rejected' } });
    expect(told(ran)).toEqual(['1 a.contract.yaml/cheap block']);
    expect(ran.told('chose')).toEqual([]);
  });
});

describe('[C-13 O-2] the agent that works with all flows', () => {
  it('[C-13 O-2] is held to the contract of the assembly', async () => {
    const ran = await go(
      { '01-a.md': stage() },
      [wrote('assembly', 'foo'), stops('assembly'), wrote('assembly', 'bar'), stops('assembly')],
      {
        invocation: { route: true },
        root: { 'a.contract.yaml': contract('must_not: [contain "foo"]\n') },
      },
    );
    expect(ran.cause()).toBe('success');
    expect(told(ran)).toEqual(['1 a.contract.yaml/must_not[0] block']);
    expect(ran.requests[0]?.system).toContain('You must not contain "foo".');
  });
});

describe('[C-9 G-7] halt_and_alert among several', () => {
  it('[C-9 C-13 G-7] in a branch ends the run, the siblings that work and what stands behind', async () => {
    let waiting = 0;
    let begin = (): void => {};
    const both = new Promise<void>((begun) => (begin = begun));
    const ran = await go(
      {
        '01-all/PARALLEL.md': '---\n---\n',
        '01-all/a/STAGE.md': stage(),
        '01-all/a/x.contract.yaml': HALTS,
        '01-all/b.md': stage(),
        '02-end.md': stage(),
      },
      [],
      {
        models: () => () => ({
          source: 'scripted',
          open: ({ stage: of }) => ({
            async next(request) {
              const answer = { turn: 'answer', text: '', stop: 'calls', usage: NONE, costUsd: 0, provider: 'p', model: 'm' } as const;
              const said = request.messages.length;
              if (said === 1 && (waiting += 1) === 2) begin();
              if (said === 1) await both;
              if (of === '01-all/a')
                return said === 1
                  ? { ...answer, calls: [{ id: '1', tool: 'write', input: { path: '$OUTPUT', content: 'foo' } }] }
                  : { ...answer, calls: [], stop: 'end', text: 'done' };
              // A model that never answers: only the halt can end it.
              await new Promise<void>((aborted) => request.signal.addEventListener('abort', () => aborted(), { once: true }));
              return { turn: 'failed', failure: 'aborted', provider: 'p', model: 'm', message: 'aborted' };
            },
          }),
        }),
      },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1 });
    expect(
      ran
        .told('stage_end')
        .map(({ stage: of, cause }) => `${of} ${cause}`)
        .sort(),
    ).toEqual(['01-all/a rejected', '01-all/b rejected']);
    expect(ran.told('stage_start').some(({ stage: of }) => of === '02-end')).toBe(false);
    expect(ran.notices).toHaveLength(1);
    expect(await verifyRun(ran.outcome.folder)).toMatchObject({ verified: true, differences: [] });
  });

  it('[C-9 C-13 G-7] in one item of a fan-out ends the run and begins no further item', async () => {
    const items = { xs: ['a', 'b', 'c'].map((id) => ({ id, input: {} })) };
    const ran = await go(
      {
        '01-list/STAGE.md': stage(),
        '01-list/schema.json': '{"type":"object","required":["xs"]}',
        '02-each/FANOUT.md': '---\nitems: xs\nsubflow: one\nwidth: 1\nmax-items: 4\n---\n',
        '03-end.md': stage(),
      },
      [
        wrote('01-list', JSON.stringify(items)),
        stops('01-list'),
        { ...wrote('01-do', 'foo'), flow: 'one' },
        { ...stops('01-do'), flow: 'one' },
      ],
      {
        root: {
          'subflows/one/FLOW.md': '---\ndescription: One\n---\n',
          'subflows/one/01-do.md': stage(),
          'subflows/one/x.contract.yaml': HALTS,
        },
      },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1 });
    expect(ran.told('subflow_start')).toHaveLength(1);
    expect(ran.told('stage_start').some(({ stage: of }) => of === '03-end')).toBe(false);
    expect(ran.notices).toHaveLength(1);
  });
});

const NONE = { input: null, output: null, cache_read: null, cache_write: null };
