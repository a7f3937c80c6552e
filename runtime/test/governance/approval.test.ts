/** Leave for one call: asked, given, used once (V-5). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type SessionEntry, verifyRun } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import { requestsOf } from '../../src/agent/rebuild.js';
import { decideRequest, requestNamed, waitingRequests } from '../../src/governance/approval/decide.js';
import { claims } from '../../src/io/claims.js';
import { createDisk } from '../../src/io/disk.js';
import { createManualClock } from '../../src/testing/index.js';
import type { Approve } from '../../src/index.js';
import { type Ask, calls, clear as clearRuns, go, type Line, type Ran, stage, stops, wrote } from '../run/ground.js';
import { clear, type Ended, type Ground, ground, leave, namesIn } from './ground.js';

afterAll(clear);
afterAll(clearRuns);

const ASKS = {
  pre_tool: {
    rules: [
      {
        id: 'push',
        tool: 'bash',
        program: 'push',
        decision: 'require_approval',
        reason: 'r',
        target: 'remote',
        scope: 'one push',
        risks: 'is public',
        recovery: 'revert',
      },
    ],
  },
};
const ONE = { '01-a.md': stage() };
const pushing = 'push() { echo "$1" >> "$PWD/made"; }; push one';
const push = (command = pushing): Line => calls('01-a', 'bash', { command });
const END = [wrote('01-a', 'ok'), stops('01-a')];
const YES = { answer: 'granted', by: 'ann', via: 'host' } as const;
const NO = { answer: 'denied', by: 'ann', via: 'host' } as const;
const yes: Approve = () => Promise.resolve(YES);
const no: Approve = () => Promise.resolve(NO);
/** For a run that is made by its parts. */
const under = (stages: object): Pick<Ask, 'root'> => ({
  root: { 'governance.contract.json': JSON.stringify({ contract_type: 'governance', contract_name: 'open', stages }) },
});

const ports = (at: Ground) => ({ home: at.home, disk: createDisk(), claims, now: Date.now() });

async function decided(at: Ground, run: Ended, verdict: 'granted' | 'denied' = 'granted', later = 0): Promise<string> {
  const [id = ''] = run.pending;
  const request = await requestNamed(run.run, id, ports(at));
  if (request === null) throw new Error(`no request ${id}`);
  return (await decideRequest(request, { verdict, by: 'bob' }, { ...ports(at), now: Date.now() + later })).is;
}

describe('[V-5] nobody to ask', () => {
  it('[V-5 E-1] the stage is rejected before the call, run_end lists the request, and after leave a resume goes through once', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END]);
    expect(run).toMatchObject({ cause: 'rejected' });
    expect(run.reason).toContain(run.pending[0] ?? 'no id');
    expect(at.left('made')).toBeNull();
    expect(run.told('authorization')).toMatchObject([
      {
        state: 'requested',
        id: run.pending[0],
        stage: '01-a',
        target: 'remote',
        scope: 'one push',
        risks: 'is public',
        recovery: 'revert',
        tool: 'bash',
        nth: 1,
        rule: 'push',
      },
    ]);
    expect(await waitingRequests(run.run, ports(at))).toMatchObject([{ arguments: { command: pushing }, expires_seconds: 900 }]);
    expect(await decided(at, run)).toBe('granted');

    const again = await at.resume([push(), ...END]);
    expect(again.cause).toBe('success');
    expect(at.left('made')).toBe('one\n');
    expect(leave(again)).toEqual(['granted bob command', 'used bob command']);
    expect(namesIn(at.home, 'used')).toHaveLength(1);
    for (const one of [run, again]) expect(await verifyRun(one.folder)).toMatchObject({ verified: true, differences: [] });

    const third = await at.resume([push(), ...END], { of: run.run });
    expect(third.cause).toBe('rejected');
    expect(third.told('authorization').map(({ state, reason }) => [state, reason?.split(':')[0]])).toEqual([
      ['refused', 'reused'],
      ['requested', undefined],
    ]);
    expect(at.left('made')).toBe('one\n');
  });

  it('[V-5] of two resumes that race for one grant exactly one uses it', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END]);
    await decided(at, run);
    const both = await Promise.all([at.resume([push(), ...END], { of: run.run }), at.resume([push(), ...END], { of: run.run })]);
    expect(both.map(({ cause }) => cause).sort()).toEqual(['rejected', 'success']);
    expect(at.left('made')).toBe('one\n');
    expect(both.flatMap((one) => one.told('authorization').filter(({ state }) => state === 'used'))).toHaveLength(1);
  });

  it('[V-5] a call that changed by one byte is not the call that was granted', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END]);
    await decided(at, run);
    const again = await at.resume([push(pushing.replace('push one', 'push onf')), ...END]);
    expect(again.cause).toBe('rejected');
    expect(at.left('made')).toBeNull();
    expect(again.told('authorization')).toMatchObject([
      { state: 'refused', reason: expect.stringMatching(/^altered:/) },
      { state: 'requested' },
    ]);
  });

  it('[V-5] of two shells that answer at once exactly one grants', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END]);
    const request = await requestNamed(run.run, run.pending[0] ?? '', ports(at));
    if (request === null) throw new Error('no request');
    const by = (name: string) => ({ verdict: 'granted', by: name }) as const;
    const disk = createDisk();
    const answers: string[] = [];
    // The other shell answers after this one saw that nobody had.
    const makeFolder = async (path: string): Promise<void> => {
      answers.push((await decideRequest(request, by('bob'), ports(at))).is);
      await disk.makeFolder(path);
    };
    answers.push((await decideRequest(request, by('eve'), { ...ports(at), disk: { ...disk, makeFolder } })).is);
    expect(answers).toEqual(['granted', 'already']);
    expect(leave(await at.resume([push(), ...END]))).toEqual(['granted bob command', 'used bob command']);
  });

  it('[V-5] leave that lapsed is given anew', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END]);
    expect(await decided(at, run, 'granted', -901_000)).toBe('granted');
    expect(await waitingRequests(run.run, ports(at))).toHaveLength(1);
    expect(await decided(at, run)).toBe('granted');
    expect((await at.resume([push(), ...END])).cause).toBe('success');
  });

  it("[V-5] leave given to another run of the same assembly is nobody else's", async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END]);
    await decided(at, run);
    const other = await at.run([push(), ...END]);
    expect(other.cause).toBe('rejected');
    expect(at.left('made')).toBeNull();
  });

  it('[V-5] leave that expired before it was used is recorded and asked for anew', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END]);
    await decided(at, run, 'granted', -901_000);
    const again = await at.resume([push(), ...END]);
    expect(again.cause).toBe('rejected');
    expect(leave(again)).toEqual(['expired bob command', 'requested']);
  });

  it('[V-5] leave that was taken back holds nothing', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END]);
    expect(await decided(at, run)).toBe('granted');
    expect(await decided(at, run)).toBe('already');
    expect(await decided(at, run, 'denied')).toBe('denied');
    expect(await decided(at, run)).toBe('already');
    expect((await at.resume([push(), ...END])).cause).toBe('rejected');
  });
});

describe('[V-5] somebody to ask', () => {
  it('[V-5] is told everything, and yes lets exactly one call through: the same call asks again', async () => {
    const at = ground(ONE, ASKS);
    const asked: unknown[] = [];
    const run = await at.run([push(), push(), ...END], {
      approve: (request, signal) => {
        asked.push(request);
        return asked.length === 1 ? yes(request, signal) : no(request, signal);
      },
    });
    expect(run.cause).toBe('success');
    expect(at.left('made')).toBe('one\n');
    expect(asked).toMatchObject([
      {
        stage: '01-a',
        tool: 'bash',
        arguments: { command: pushing },
        target: 'remote',
        risks: 'is public',
        recovery: 'revert',
        rules: ['push'],
        nth: 1,
      },
      { nth: 2 },
    ]);
    expect(leave(run)).toEqual(['requested', 'granted ann host', 'used ann host', 'requested', 'denied ann host']);
    expect(run.pending).toEqual([]);
    expect(namesIn(at.home, 'requested')).toEqual([]);
  });

  it('[V-5] no: the agent reads a denial and goes on', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), wrote('01-a', 'ok', { expect: '"decision":"deny"' }), stops('01-a')], { approve: no });
    expect(run.cause).toBe('success');
    expect(at.left('made')).toBeNull();
  });

  it('[V-5] another shell may answer while the caller is still asked', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END], {
      approve: async ({ id, run: name }, signal) => {
        const request = await requestNamed(name, id, ports(at));
        if (request) await decideRequest(request, { verdict: 'granted', by: 'bob' }, ports(at));
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ answer: 'nobody' })));
      },
    });
    expect(run.cause).toBe('success');
    expect(leave(run)).toEqual(['requested', 'granted bob command', 'used bob command']);
  });

  it('[V-5 E-2] ^C while waiting stops the run as a signal does', async () => {
    const at = ground(ONE, ASKS);
    const controller = new AbortController();
    const run = await at.run([push(), ...END], {
      signal: controller.signal,
      approve: (_, signal) => {
        controller.abort();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ answer: 'granted', by: 'late', via: 'host' })));
      },
    });
    expect(run.cause).toBe('signal');
    expect(at.left('made')).toBeNull();
    expect(leave(run)).toEqual(['requested']);
  });

  it('[V-5] the receipt of the call says how it ended and what it changed in the tree', async () => {
    const at = ground(ONE, ASKS);
    const git = (...args: string[]) => execFileSync('git', ['-C', at.work, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('init', '-q');
    writeFileSync(join(at.work, 'kept'), 'x');
    writeFileSync(join(at.work, 'changed'), 'x');
    git('add', '.');
    git('commit', '-qm', 'x');
    const run = await at.run([push(`push() { echo y > changed; echo z > 'with space'; return 3; }; push`), ...END], { approve: yes });
    expect(run.told('governance').at(-1)).toMatchObject({
      decision: 'allow',
      postcondition: { authorization: run.told('authorization')[0]?.id, exit: 3, files_changed: 2, files: ['changed', 'with space'] },
    });
  });

  it('[V-5] outside a tree of git nobody says what changed', async () => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END], { approve: yes });
    expect(run.told('governance').at(-1)).toMatchObject({ postcondition: { exit: 0, files_changed: null } });
  });

  it('[V-5 L-2] what was held, allowed and denied stands in the session as it was sent', async () => {
    const ran = await go(ONE, [push(), push(), ...END], { ...under(ASKS), approve: ({ nth }) => Promise.resolve(nth === 1 ? YES : NO) });
    const lines = ran.read('stages/01-a/1/session.jsonl').trimEnd().split('\n');
    const rebuilt = [...requestsOf(lines.map((line): SessionEntry => JSON.parse(line)))];
    const asked = ran.requests.map(({ system, tools, messages }) => ({ system, tools, messages }));
    expect(asked).toHaveLength(4);
    expect(rebuilt.slice(0, 4).map(({ system, tools, messages }) => ({ system, tools, messages }))).toEqual(asked);
    expect(JSON.stringify(rebuilt)).not.toContain('"exit"');
  });
});

describe('[V-5] time', () => {
  const waiting = (ask: Ask): Promise<Ran> =>
    go({ '01-a.md': stage('Write the word.', 'timeout: 5\n') }, [push(), ...END], { ...under(ASKS), ...ask });

  it("[V-5 L-5] waiting spends nothing of the agent's time", async () => {
    const clock = createManualClock();
    const ran = await waiting({
      machine: (machine) => ({ ...machine, clock }),
      approve: async () => {
        await clock.advance(600_000);
        return YES;
      },
    });
    expect(ran.cause()).toBe('success');
  });

  it('[V-5 L-5 L-11] of calls that are answered together, one that has its leave does not start the time of those that wait', async () => {
    const clock = createManualClock();
    const spent = new AbortController();
    const mark = (): Promise<null> => {
      spent.abort();
      return Promise.resolve(null);
    };
    let asked = 0;
    const asks = { id: 'look', tool: 'read', decision: 'require_approval', reason: 'r', risks: 'is seen', recovery: 'none' };
    const both = { stage: '01-a', calls: ['a.md', 'b.md'].map((path) => ({ tool: 'read', input: { path } })) };
    const ran = await go({ '01-a.md': stage('Write the word.', 'timeout: 5\n') }, [both, ...END], {
      ...under({ schema_aware_file_tool: { rules: [asks] } }),
      work: { 'a.md': 'a', 'b.md': 'b' },
      // Looked at once a call has its leave, and before it is done.
      machine: (machine) => ({ ...machine, clock, changes: { mark } }),
      approve: async () => {
        asked += 1;
        if (asked === 2) {
          if (!spent.signal.aborted) await once(spent.signal, 'abort');
          await clock.advance(600_000);
        }
        return YES;
      },
    });
    expect(asked).toBe(2);
    expect(ran.cause()).toBe('success');
  });

  it('[V-5 I-5] the deadline of the run goes on meanwhile', async () => {
    const clock = createManualClock();
    const ran = await waiting({
      machine: (machine) => ({ ...machine, clock }),
      invocation: { deadline: '60' },
      approve: async () => {
        await clock.advance(61_000);
        return YES;
      },
    });
    expect(ran.cause()).toBe('timeout');
    expect(ran.told('authorization').map(({ state }) => state)).toEqual(['requested']);
  });

  it('[V-5] as long as leave would hold where somebody is asked; then nobody gave it', async () => {
    const clock = createManualClock();
    const ran = await waiting({
      machine: (machine) => ({ ...machine, clock }),
      approve: async (_, signal) => {
        await clock.advance(899_000);
        if (signal.aborted) throw new Error('nobody waits any more');
        await clock.advance(2_000);
        return new Promise(() => {});
      },
    });
    expect(ran.cause()).toBe('rejected');
    expect(ran.told('run_end')).toMatchObject([{ pending: [ran.told('authorization')[0]?.id] }]);
  });
});

describe('[V-5] --authorize', () => {
  const entry = (more: object = {}): object => ({
    id: 'e1',
    stage: '01-a',
    tool: 'bash',
    arguments: { command: pushing },
    risks: 'is public',
    recovery: 'revert',
    expires: '2999-01-01T00:00:00Z',
    by: 'eve',
    ...more,
  });
  const file = (at: Ground, ...entries: object[]): string => {
    const path = join(at.root, 'authorize.json');
    writeFileSync(path, JSON.stringify(entries));
    return path;
  };

  it('[V-5] lets its call through, once for all runs', async () => {
    const at = ground(ONE, ASKS);
    const wishes = { authorize: file(at, entry()) };
    const run = await at.run([push(), ...END], { wishes });
    expect(run.cause).toBe('success');
    expect(leave(run)).toEqual(['granted eve file', 'used eve file']);
    const second = await at.run([push(), ...END], { wishes });
    expect(second.cause).toBe('rejected');
    expect(leave(second)).toEqual(['refused eve file', 'requested']);
    expect(at.left('made')).toBe('one\n');
  });

  it.each([
    ['for other arguments', { arguments: { command: 'push two' } }, 'refused', 'altered'],
    ['with other risks', { risks: 'none' }, 'refused', 'altered'],
    ['of another assembly', { assembly: '0'.repeat(64) }, 'refused', 'foreign'],
    ['that expired', { expires: '2001-01-01T00:00:00Z' }, 'expired', 'expired'],
    ['for the second call', { nth: 2 }, 'refused', 'wrong-scope'],
  ])('[V-5] leave %s is refused and recorded', async (_, more, state, why) => {
    const at = ground(ONE, ASKS);
    const run = await at.run([push(), ...END], { wishes: { authorize: file(at, entry(more)) } });
    expect(run.cause).toBe('rejected');
    expect(at.left('made')).toBeNull();
    expect(run.told('authorization')).toMatchObject([
      { state, reason: expect.stringMatching(new RegExp(`^${why}:`)), by: 'eve' },
      { state: 'requested' },
    ]);
  });
});

describe('[V-5 G-6] children', () => {
  it('[V-5 G-5] of branches that run at once one is asked about at a time', async () => {
    const branch = (name: string): Line[] => [
      calls(`01-all/${name}`, 'bash', { command: `push() { echo ${name} >> "$PWD/made"; }; push` }),
    ];
    const tree = {
      '01-all/PARALLEL.md': '---\nwidth: 3\n---\n',
      '01-all/a.md': stage(),
      '01-all/b.md': stage(),
      '01-all/c.md': stage(),
      '02-end.md': stage(),
    };
    const at = ground(tree, ASKS);
    const asked: string[] = [];
    let open = 0;
    const names = ['a', 'b', 'c'];
    const run = await at.run(
      [
        ...names.flatMap(branch),
        ...names.flatMap((name) => [wrote(`01-all/${name}`, name), stops(`01-all/${name}`)]),
        wrote('02-end', 'e'),
        stops('02-end'),
      ],
      {
        approve: async ({ stage: name }) => {
          open += 1;
          asked.push(`${name} ${open}`);
          await new Promise((resolve) => setImmediate(resolve));
          open -= 1;
          return name.endsWith('b') ? NO : YES;
        },
      },
    );
    expect(run.cause).toBe('success');
    expect([...asked].sort()).toEqual(['01-all/a 1', '01-all/b 1', '01-all/c 1']);
    expect(at.left('made')?.trim().split('\n').sort()).toEqual(['a', 'c']);
    expect(await verifyRun(run.folder)).toMatchObject({ verified: true, differences: [] });
  });

  it('[V-5 G-6] items of a fan-out ask each for itself, and leave for one is none for another', async () => {
    const at = ground(
      {
        '01-list/STAGE.md': stage(),
        '01-list/schema.json': '{"type":"object"}',
        '02-fan/FANOUT.md': '---\nitems: items\nsubflow: work\nwidth: 1\nmax-items: 4\n---\n',
        '03-end.md': stage(),
      },
      ASKS,
      { root: { 'subflows/work/FLOW.md': '---\ndescription: Works\n---\n', 'subflows/work/01-do.md': stage() } },
    );
    const items = JSON.stringify({ items: ['a', 'b'].map((id) => ({ id, input: {} })) });
    const asked: string[] = [];
    const run = await at.run(
      [
        wrote('01-list', items),
        stops('01-list'),
        calls('01-do', 'bash', { command: pushing }),
        wrote('01-do', 'x'),
        stops('01-do'),
        wrote('03-end', 'e'),
        stops('03-end'),
      ],
      {
        approve: ({ stage: name, nth }) => {
          asked.push(`${name} ${nth}`);
          return Promise.resolve(YES);
        },
      },
    );
    expect(run.cause).toBe('success');
    expect(asked).toEqual(['02-fan/a/01-do 1', '02-fan/b/01-do 1']);
    expect(at.left('made')).toBe('one\none\n');
  });

  it("[V-5 G-7] a call in a child run is held, and pending stands in its record and in the run's", async () => {
    const at = ground(ONE, ASKS, {
      root: { 'subflows/oracle/FLOW.md': '---\ndescription: Says something\n---\n', 'subflows/oracle/01-say.md': stage() },
    });
    const lines = [
      calls('01-a', 'subflow', { calls: [{ flow: 'oracle', input: 'x' }] }),
      { ...calls('01-say', 'bash', { command: pushing }), flow: 'oracle' },
      { ...wrote('01-say', 'said'), flow: 'oracle' },
      { ...stops('01-say'), flow: 'oracle' },
      ...END,
    ];
    const run = await at.run(lines);
    expect(run.pending).toHaveLength(1);
    const child = readFileSync(join(run.folder, 'stages/01-a/1/1/subflows/1/record.jsonl'), 'utf8');
    expect(child).toContain(`"pending":["${run.pending[0]}"]`);
    expect(existsSync(join(at.work, 'made'))).toBe(false);
    expect(await waitingRequests(run.run, ports(at))).toMatchObject([{ stage: '01-a/1/01-say' }]);
  });
});
