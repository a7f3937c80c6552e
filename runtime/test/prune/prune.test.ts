import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createDisk } from '../../src/io/disk.js';
import { processes } from '../../src/io/processes.js';
import { keptTrees } from '../../src/io/worktree/kept.js';
import { DiskError } from '../../src/ports/disk.js';
import { chooseRuns } from '../../src/prune/choose.js';
import { readLimits } from '../../src/prune/limits.js';
import { clearLeftOver, removeRun } from '../../src/prune/remove.js';
import { surveyRuns } from '../../src/prune/survey.js';
import { treeIn } from '../../src/prune/tree.js';
import { lockText } from '../../src/record/marks.js';
import { documentIn } from '../cli/documents.js';
import { atHome } from '../readings/at-home.js';

const removals: (() => void)[] = [];
afterAll(() => removals.splice(0).forEach((remove) => remove()));

function place() {
  const home = atHome();
  removals.push(home.done);
  const runs = join(home.home, 'runs');
  const work = join(home.root, 'work');
  mkdirSync(work);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.root, FLOW_HOME: home.home, XDG_CACHE_HOME: join(home.root, 'cache') };
  const flow = (words: readonly string[], more: Parameters<typeof home.flow>[1] = {}) => home.flow(words, { cwd: work, env, ...more });
  return {
    ...home,
    ...{ runs, work, flow },
    /** A run whose record holds nothing but its first line. */
    plant(name: string, bytes = 100, start: object = {}): void {
      mkdirSync(join(runs, name));
      const ts = `${name.slice(0, 10)}T${name.slice(11, 19).replaceAll('-', ':')}.000Z`;
      const first = {
        ts,
        event: 'run_start',
        record: 1,
        runtime: { name: 'x', version: '1', node: 'v20' },
        run: name,
        assembly: '/a',
        assembly_hash: 'a'.repeat(64),
        flow: 'f',
        request: { path: 'request.txt', sha256: 'a'.repeat(64), bytes: 0, from: 'none' },
        workdir: '/w',
        model_source: 'rehearsal',
        ...start,
        prev: 'e'.repeat(64),
      };
      writeFileSync(join(runs, name, 'record.jsonl'), `${JSON.stringify(first)}\n`);
      writeFileSync(join(runs, name, 'output.txt'), 'x'.repeat(bytes));
    },
    names: (): string[] => readdirSync(runs).sort(),
  };
}

const OLD = '2020-01-01T00-00-00-0001';
const OLDER = '2019-01-01T00-00-00-0002';
const NEW = '2026-01-01T00-00-00-0003';

describe('[I-12] which runs go', () => {
  const HOUR = 3_600_000;
  const run = (hours: number, bytes = 10, held: string | null = null) => ({ run: `r${hours}`, began: -hours * HOUR, bytes, held });
  const runs = [run(1), run(2), run(30), run(40, 100), run(50)];

  it.each([
    [{ olderThan: 29 * HOUR }, ['r50', 'r40', 'r30']],
    [{ keep: 2 }, ['r50', 'r40', 'r30']],
    [{ keep: 4, olderThan: HOUR * 1.5 }, ['r50']],
    [{ maxSize: 120 }, ['r50', 'r40']],
    [{ maxSize: 1_000 }, []],
    [{ maxSize: 0, keep: 1 }, ['r50', 'r40', 'r30', 'r2']],
    [{ maxSize: 125, olderThan: 45 * HOUR }, ['r50', 'r40']],
    [{ keep: 0 }, ['r50', 'r40', 'r30', 'r2', 'r1']],
  ])('[I-12] %j', (limits, expected) => {
    expect(chooseRuns(runs, limits, 0).map(({ run: { run: name } }) => name)).toEqual(expected);
  });

  it('[I-12] never what is held, never one of the newest that are kept, each once, whatever is asked', () => {
    const some = fc.array(fc.record({ hours: fc.nat(100), bytes: fc.nat(50), held: fc.boolean() }), { maxLength: 20 });
    const limits = fc.record({ keep: fc.nat(10), olderThan: fc.nat(100 * HOUR), maxSize: fc.nat(300) }, { requiredKeys: [] });
    fc.assert(
      fc.property(some, limits, (rows, asked) => {
        const sorted = rows
          .map(({ hours, bytes, held }, index) => ({ ...run(hours, bytes, held ? 'it is running' : null), run: String(index) }))
          .sort((a, b) => b.began - a.began);
        const gone = chooseRuns(sorted, asked, 0).map((one) => one.run);
        expect(gone.filter(({ held }) => held !== null)).toEqual([]);
        expect(gone.filter((one) => sorted.slice(0, asked.keep ?? 0).includes(one))).toEqual([]);
        expect(new Set(gone).size).toBe(gone.length);
        const left = sorted.filter((one) => !gone.includes(one));
        const removable = left.filter((one) => one.held === null && !sorted.slice(0, asked.keep ?? 0).includes(one));
        if (asked.maxSize !== undefined && removable.length > 0)
          expect(left.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(asked.maxSize);
      }),
    );
  });

  it.each([
    [
      { olderThan: '30d', maxSize: '2G', keep: '7' },
      { olderThan: 30 * 24 * HOUR, maxSize: 2 ** 31, keep: 7 },
    ],
    [
      { olderThan: '1.5h', maxSize: '500MiB' },
      { olderThan: 1.5 * HOUR, maxSize: 500 * 2 ** 20 },
    ],
    [{ maxSize: '0' }, { maxSize: 0 }],
  ])('[I-12] %j is read', (words, limits) => expect(readLimits(words)).toEqual({ ok: true, limits }));

  it.each([
    {},
    { olderThan: '30' },
    { olderThan: '30y' },
    { olderThan: '-3d' },
    { keep: '1.5' },
    { keep: '-1' },
    { maxSize: 'much' },
    { maxSize: '1e9' },
    { olderThan: '' },
  ])('[I-12] %j is refused', (words) => expect(readLimits(words)).toMatchObject({ ok: false }));
});

describe('[I-12] the command', () => {
  it('[I-12] without --yes and without a terminal it only lists', async () => {
    const at = place();
    for (const name of [OLD, NEW]) at.plant(name);
    const { code, out } = await at.flow(['prune', '--keep', '1']);
    expect([code, out]).toEqual([0, expect.stringContaining('Nothing was removed. --yes removes them.')]);
    expect(out).toContain(OLD);
    expect(at.names()).toEqual([OLD, NEW]);
  });

  it.each([
    ['y\n', 1],
    ['yes\n', 1],
    ['n\n', 2],
    ['\n', 2],
    ['yesterday\n', 2],
  ])('[I-12] on a terminal it asks, and %j leaves %i', async (answer, left) => {
    const at = place();
    for (const name of [OLD, NEW]) at.plant(name);
    const stdin = async function* () {
      yield Buffer.from(answer);
    };
    const { err, code } = await at.flow(['prune', '--keep', '1'], { inIsTerminal: true, errIsTerminal: true, stdin });
    expect([code, err]).toEqual([0, 'Remove 1 run for good? [y/N] ']);
    expect(at.names()).toHaveLength(left);
  });

  it('[I-12 I-2] --yes removes whole runs and says what was freed, also of damaged ones and of a folder without a record', async () => {
    const at = place();
    for (const name of [OLDER, OLD, NEW]) at.plant(name, 1000);
    writeFileSync(join(at.runs, OLD, 'record.jsonl'), 'torn\u0000');
    const bare = '2018-01-01T00-00-00-0004';
    mkdirSync(join(at.runs, bare));
    const listed = await documentIn((await at.flow(['prune', '--older-than', '30d', '--keep', '1', '--json'])).out);
    expect(listed.runs.map(({ run, state }: { run: string; state: string }) => [run, state])).toEqual([
      [bare, 'unreadable'],
      [OLDER, 'crashed'],
      [OLD, 'unreadable'],
    ]);
    expect([listed.removed, listed.freed.runs, at.names().length]).toEqual([false, 0, 4]);
    const { out, code } = await at.flow(['prune', '--older-than', '30d', '--keep', '1', '--json', '--yes']);
    const done = await documentIn(out);
    expect([code, done.freed.runs]).toEqual([0, 3]);
    expect(done.freed.bytes).toBeGreaterThan(2000);
    expect(at.names()).toEqual([NEW]);
    expect((await at.flow(['prune', '--keep', '1', '--yes'])).code).toBe(0);
  });

  it('[I-12 R-7] never a run that lives, here or where nobody can tell', async () => {
    const at = place();
    for (const name of [OLDER, OLD]) at.plant(name);
    at.lock(OLD, lockText(processes.self(), processes.place()));
    at.lock(OLDER, lockText({ pid: 4_194_000, started: '1', boot: processes.self().boot }, { host: 'another', space: null }));
    const { out, code } = await at.flow(['prune', '--keep', '0', '--yes']);
    expect([code, at.names().filter((name) => !name.endsWith('.lock'))]).toEqual([0, [OLDER, OLD]]);
    expect(out).toContain(`${OLD} stays: it is running.`);
    expect(out).toContain(`${OLDER} stays: it may be running on another machine`);
  });

  it('[I-12] what a prune did not live to finish is no run, and the next one finishes it', async () => {
    const at = place();
    at.plant(OLD);
    const away = join(at.runs, `${OLDER}.pruned`);
    mkdirSync(join(away, 'stages'), { recursive: true });
    expect((await at.flow(['list'])).out).not.toContain(OLDER);
    expect((await at.flow(['show', OLDER])).code).toBe(1);
    expect((await at.flow(['show', away])).code).toBe(1);
    expect((await at.flow(['prune', '--keep', '1', '--yes'])).out).toContain('What was left of 1 run');
    expect(at.names()).toEqual([OLD]);
  });

  it('[I-12] what was left and cannot go is said, and keeps nothing else from going', async () => {
    const at = place();
    for (const name of [OLDER, OLD, NEW]) mkdirSync(join(at.runs, `${name}.pruned`));
    const stuck = join(at.runs, `${OLDER}.pruned`);
    const real = createDisk();
    const remove = (path: string): Promise<void> =>
      path === stuck ? Promise.reject(new DiskError('remove', path, 'EBUSY')) : real.remove(path);
    const kept = [`What a prune left of ${OLDER} is still there: remove failed on ${stuck}: EBUSY.`];
    expect(await clearLeftOver(at.home, { disk: { ...real, remove } })).toEqual({ gone: 2, kept });
    expect(at.names()).toEqual([`${OLDER}.pruned`]);
  });

  it('[I-12] the record goes first: whatever stops it, no half of a run reads as one', async () => {
    const at = place();
    at.plant(OLD);
    const disk = createDisk();
    const removed: string[] = [];
    const ports = { processes, trees: keptTrees, disk: { ...disk, remove: async (path: string) => void removed.push(path) } };
    const [survey] = await surveyRuns(at.home, { ...ports, disk });
    if (survey === undefined) throw new Error('no run');
    await removeRun(survey, ports);
    expect(removed.slice(0, 2)).toEqual([join(at.runs, `${OLD}.pruned/record.jsonl`), join(at.runs, `${OLD}.pruned`)]);
  });

  it('[I-12] of two at once each run is removed by one', async () => {
    const at = place();
    for (let n = 0; n < 12; n += 1) at.plant(`2020-01-01T00-00-${String(n).padStart(2, '0')}-000a`);
    const both = await Promise.all([1, 2].map(() => at.flow(['prune', '--keep', '0', '--yes'])));
    expect(both.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(at.names()).toEqual([]);
  });

  it('[I-12] a link among the runs stays, with what it leads to; a file that is called as a run is goes', async () => {
    const at = place();
    at.plant(NEW);
    const outside = join(at.root, 'outside');
    mkdirSync(outside);
    for (const name of ['record.jsonl', 'precious']) writeFileSync(join(outside, name), 'x');
    symlinkSync(outside, join(at.runs, OLD));
    symlinkSync(join(at.runs, NEW), join(at.runs, OLDER));
    const [left, file] = [`2017-01-01T00-00-00-0005.pruned`, '2016-01-01T00-00-00-0006'];
    symlinkSync(outside, join(at.runs, left));
    writeFileSync(join(at.runs, file), '');
    const { out, err, code } = await at.flow(['prune', '--keep', '1', '--yes']);
    expect([code, err]).toEqual([0, '']);
    for (const name of [OLD, OLDER]) expect(out).toContain(`${name} stays: it is a link, `);
    expect(at.names()).toEqual([OLDER, OLD, NEW]);
    expect(readdirSync(outside).sort()).toEqual(['precious', 'record.jsonl']);
    expect(readdirSync(join(at.runs, NEW)).sort()).toEqual(['output.txt', 'record.jsonl']);
  });

  it('[I-12] a home that is a link, no home, nothing asked: 2', async () => {
    const at = place();
    expect((await at.flow(['prune'])).code).toBe(2);
    execFileSync('ln', ['-s', at.home, join(at.root, 'link')]);
    const { code, err } = await at.flow(['prune', '--keep', '0', '--yes', '--home', join(at.root, 'link')]);
    expect([code, err]).toEqual([2, expect.stringContaining('not a folder of your own')]);
  });
});

describe('[I-12 O-7] working trees of isolated runs', () => {
  const git = (at: string, ...words: string[]): string =>
    execFileSync('git', ['-C', at, '-c', 'user.name=n', '-c', 'user.email=e@x', ...words], { encoding: 'utf8' }).trim();

  /** A repository and a failed run whose own tree stands. */
  function isolated() {
    const at = place();
    const repo = join(at.root, 'repo');
    const tree = join(at.root, 'cache/w-0123456789abcdef');
    mkdirSync(repo);
    git(repo, 'init', '--quiet');
    writeFileSync(join(repo, 'a'), '1');
    git(repo, 'add', '.');
    git(repo, 'commit', '--quiet', '-m', 'first');
    git(repo, 'worktree', 'add', '--quiet', '--detach', tree);
    at.plant(OLD, 10, { workdir: tree, isolated_from: repo });
    return { ...at, repo, tree, prune: () => at.flow(['prune', '--keep', '0', '--yes']) };
  }

  it.each([
    ['an uncommitted change', (tree: string) => writeFileSync(join(tree, 'a'), '2')],
    ['a new file', (tree: string) => writeFileSync(join(tree, 'b'), '2')],
    [
      'a commit that is on no branch',
      (tree: string) => {
        writeFileSync(join(tree, 'a'), '2');
        git(tree, 'commit', '--quiet', '-a', '-m', 'work');
      },
    ],
    ['a repository that git does not understand', (tree: string) => writeFileSync(join(tree, '.git'), 'gitdir: /nowhere\n')],
  ])('[I-12] %s keeps the run and the tree', async (_, change) => {
    const at = isolated();
    change(at.tree);
    const { out } = await at.prune();
    expect(out).toContain(`${OLD} stays: `);
    expect(out).toContain(at.tree);
    expect([at.names(), existsSync(at.tree)]).toEqual([[OLD], true]);
  });

  it('[I-12] without a change, or with one that is on a branch, both go', async () => {
    for (const merged of [false, true]) {
      const at = isolated();
      if (merged) {
        writeFileSync(join(at.tree, 'a'), '2');
        git(at.tree, 'commit', '--quiet', '-a', '-m', 'work');
        git(at.repo, 'branch', 'kept', git(at.tree, 'rev-parse', 'HEAD'));
      }
      expect((await at.prune()).code).toBe(0);
      expect([at.names(), existsSync(at.tree)]).toEqual([[], false]);
      expect(git(at.repo, 'worktree', 'list').split('\n')).toHaveLength(1);
      expect(readFileSync(join(at.repo, 'a'), 'utf8')).toBe('1');
    }
  });

  it('[I-12] a tree that is gone holds nobody', async () => {
    const at = isolated();
    rmSync(at.tree, { recursive: true });
    await at.prune();
    expect(at.names()).toEqual([]);
  });

  it.each(['/home/me/project', '/', 'w-0123456789abcdef', '/x/../w-0123456789abcdef', '/tmp/w-123'])(
    '[I-12] a record that says %j names no tree of ours',
    (workdir) => expect(treeIn({ workdir, isolated_from: '/repo' })).toBeNull(),
  );

  it('[I-12] a folder inside the tree means the tree', () => {
    expect(treeIn({ workdir: '/c/w-0123456789abcdef/sub/dir', isolated_from: '/r' })).toBe('/c/w-0123456789abcdef');
    expect(treeIn({ workdir: '/c/w-0123456789abcdef' })).toBeNull();
  });
});
