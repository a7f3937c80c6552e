/** `flow approve` and `flow deny`, and what a run and `flow show` say of leave (V-5). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import type { Io } from '../../src/cli/command.js';
import { isInsideRun } from '../../src/governance/approval/inside.js';
import { changes } from '../../src/io/changes.js';
import { createDisk } from '../../src/io/disk.js';
import { lineage } from '../../src/io/lineage.js';
import type { Lineage } from '../../src/ports/lineage.js';
import { hushableScreen, hushableWriter } from '../../src/progress/hush.js';
import { chunks, fakeIo, type FakeIo } from '../cli/io.js';
import { calls, stage, stops, wrote } from '../run/ground.js';
import { clear, type Ended, type Ground, ground } from './ground.js';

afterAll(clear);

const ASKS = {
  pre_tool: {
    rules: [
      {
        id: 'push',
        program: 'touch',
        decision: 'require_approval',
        target: 'the \u001b[31mtree',
        scope: 'one',
        risks: 'is public',
        recovery: 'revert',
      },
    ],
  },
};
const LINES = [calls('01-a', 'bash', { command: 'touch "$PWD/made" # \u001b]0;x\u0007' }), wrote('01-a', 'ok'), stops('01-a')];

async function rejected(): Promise<{
  readonly at: Ground;
  readonly run: Ended;
  readonly id: string;
  flow(words: readonly string[], more?: Partial<Io>): Promise<FakeIo & { readonly code: number }>;
}> {
  const at = ground({ '01-a.md': stage() }, ASKS);
  const run = await at.run(LINES);
  return {
    ...{ at, run, id: run.pending[0] ?? '' },
    async flow(words, more = {}) {
      const io = fakeIo({ env: { FLOW_HOME: at.home, USER: 'ann' }, cwd: at.work, ...more });
      const code = await main(words, io);
      return { ...io, code };
    },
  };
}

describe('[V-5] flow approve and flow deny', () => {
  it('[V-5] show what waits with its target, risk and recovery and the sentence, and nothing of it reaches the terminal raw', async () => {
    const { id, run, flow } = await rejected();
    const { code, printed } = await flow(['approve', 'latest']);
    expect(code).toBe(0);
    for (const said of [
      id,
      'is public',
      'revert',
      'You accept this risk for this one call. Nobody certifies it as safe.',
      `flow approve ${run.run} ${id}`,
    ])
      expect(printed()).toContain(said);
    expect(printed()).toContain('\\x1b]0;x\\x07');
    expect(printed()).not.toContain('\u001b');
    expect((await flow(['show', run.run])).printed()).toMatch(/leave [0-9a-f]{8}: asked for, and not given[^]*flow approve/);
  });

  it('[V-5] grant once, by the beginning of an id too, and say how to go on', async () => {
    const { at, id, flow } = await rejected();
    const first = await flow(['approve', 'latest', id.slice(0, 6), '--by', 'eve']);
    expect([first.code, first.printed()]).toEqual([0, expect.stringMatching(/is granted, for one call, until .*\n {2}flow resume 20/)]);
    const second = await flow(['approve', 'latest', id]);
    expect([second.code, second.said()]).toEqual([1, expect.stringContaining('was granted before')]);
    expect((await flow(['approve', 'latest'])).said()).toContain('waits for leave');
    const again = await at.resume(LINES);
    expect(again.cause).toBe('success');
    expect(again.told('authorization')).toMatchObject([{ state: 'granted', by: 'eve', via: 'command' }, { state: 'used' }]);
    const spent = await flow(['approve', again.told('run_start')[0]?.continued_from ?? '', id]);
    expect([spent.code, spent.said()]).toEqual([1, expect.stringContaining('was used before')]);
  });

  it('[V-5] deny takes back what was not used', async () => {
    const { at, id, flow } = await rejected();
    await flow(['approve', 'latest', id]);
    expect((await flow(['deny', 'latest', id])).code).toBe(0);
    expect((await at.resume(LINES)).cause).toBe('rejected');
  });

  it('[V-5] at a terminal nothing but a clear yes grants', async () => {
    const { id, flow } = await rejected();
    const terminal = { inIsTerminal: true, errIsTerminal: true };
    for (const answer of ['\n', 'n\n', 'yess\n', '']) {
      const no = await flow(['approve', 'latest', id], { ...terminal, stdin: () => chunks(answer) });
      expect([no.code, no.said()]).toEqual([1, expect.stringContaining('Nothing was granted.')]);
    }
    expect((await flow(['approve', 'latest', id], { ...terminal, stdin: () => chunks('y', 'es\n') })).code).toBe(0);
  });

  it('[V-5 I-1] say what there is not', async () => {
    const { flow } = await rejected();
    expect((await flow(['approve', 'latest', 'ffffffff'])).code).toBe(1);
    expect((await flow(['approve', 'none-such'])).code).toBe(1);
    expect((await flow(['approve'])).code).toBe(2);
  });

  it('[V-5] are refused inside a run, from where an agent, a gate and what they start stand', async () => {
    const { id, flow, at } = await rejected();
    const inside = await flow(['approve', 'latest', id], { env: { FLOW_HOME: at.home, FLOW_RUN_ID: 'x' } });
    expect([inside.code, inside.said()]).toEqual([2, expect.stringContaining('inside a run')]);
    expect((await flow(['deny', 'latest', id], { env: { FLOW_HOME: at.home, FLOW_RUN_ID: 'x' } })).code).toBe(2);
  });
});

describe('[V-5] inside a run', () => {
  const root = mkdtempSync(join(tmpdir(), 'flow-inside-'));
  const runs = join(root, 'runs');
  mkdirSync(runs);
  writeFileSync(join(runs, 'a.lock'), `${JSON.stringify({ pid: 41, started: '7', boot: 'b' })}\n`);
  writeFileSync(
    join(runs, 'a.groups.jsonl'),
    `${JSON.stringify({ scratch: '/cache/s1' })}\n${JSON.stringify({ group: 42, started: '8', boot: 'b' })}\n`,
  );
  afterAll(() => rmSync(root, { recursive: true }));
  const stems = (more: Partial<ReturnType<Lineage['own']>> = {}, carried = ''): Lineage => ({
    own: () => ({ processes: [{ pid: 9, started: '1', boot: 'b' }], groups: [9], ...more }),
    carries: (folder) => folder === carried,
  });
  const ask = (env: Record<string, string>, from: Lineage = stems()) => isInsideRun(root, { env, disk: createDisk(), lineage: from });

  it.each([
    ['the variable of hooks and gates', { FLOW_RUN_ID: 'x' }, stems()],
    ['a slot in the scratch of a run', { OUTPUT: '/cache/s1/n/output.txt' }, stems()],
    ['a parent with such a folder', {}, stems({}, '/cache/s1')],
    ['stemming from the run itself', {}, stems({ processes: [{ pid: 41, started: '7', boot: 'b' }] })],
    ['a process group that a run started', {}, stems({ groups: [42] })],
  ])('[V-5] is told by %s', async (_, env, from) => {
    expect(await ask(env, from)).toBe(true);
  });

  it('[V-5] is not told by anything else: another process with the number of the run, another folder', async () => {
    expect(await ask({ TMPDIR: '/cache/s10' }, stems({ processes: [{ pid: 41, started: '6', boot: 'b' }] }))).toBe(false);
    expect(lineage.own().processes.map(({ pid }) => pid)).toContain(process.pid);
  });
});

describe('[V-5 I-3] progress while somebody is asked', () => {
  it('[V-5 I-3] is held back and then said, in order, once everybody was asked', () => {
    const written: string[] = [];
    const { write, hush } = hushableWriter((text) => void written.push(text));
    write('a');
    const first = hush();
    const second = hush();
    write('b');
    first();
    first();
    write('c');
    expect(written).toEqual(['a']);
    second();
    write('d');
    expect(written).toEqual(['a', 'b', 'c', 'd']);
  });

  it('[V-5 I-3] paints nothing over the question', () => {
    const shown: string[] = [];
    const { screen, hush } = hushableScreen({
      paint: (lines) => void shown.push(`paint ${lines.join('|')}`),
      print: (lines) => void shown.push(`print ${lines.join('|')}`),
      close: () => void shown.push('close'),
      ...{ columns: 80, rows: 24 },
    });
    screen.paint(['one']);
    const go = hush();
    screen.paint(['two']);
    screen.print(['kept']);
    go();
    screen.paint(['three']);
    expect(shown).toEqual(['paint one', 'print ', 'print kept', 'paint three']);
  });
});

describe('[V-5] what a call changed', () => {
  it('[V-5] in a part of a tree: made, changed, removed and committed files, and no others', async () => {
    const root = mkdtempSync(join(tmpdir(), 'flow-changes-'));
    const git = (...args: string[]) => execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('init', '-q');
    mkdirSync(join(root, 'part'));
    for (const name of ['part/dirty', 'part/gone', 'part/same', 'outside']) writeFileSync(join(root, name), 'x');
    git('add', '.');
    git('commit', '-qm', 'x');
    writeFileSync(join(root, 'part/dirty'), 'already dirty');
    const mark = await changes.mark(join(root, 'part'));
    expect(await mark?.since()).toEqual([]);
    writeFileSync(join(root, 'part/dirty'), 'dirtier');
    writeFileSync(join(root, 'part/committed ö'), 'x');
    writeFileSync(join(root, 'outside'), 'y');
    git('add', '.');
    git('commit', '-qm', 'y');
    rmSync(join(root, 'part/gone'));
    writeFileSync(join(root, 'part/new\nline'), 'x');
    expect(await mark?.since()).toEqual(['committed ö', 'dirty', 'gone', 'new\nline']);
    rmSync(root, { recursive: true });
  });

  it('[V-5] nobody says where there is no tree', async () => {
    expect(await changes.mark(tmpdir())).toBeNull();
  });
});
