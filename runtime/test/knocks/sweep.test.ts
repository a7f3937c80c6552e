import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claims } from '../../src/io/claims.js';
import { createClock } from '../../src/io/clock.js';
import { createDisk } from '../../src/io/disk.js';
import { isLiving, listProcesses, printsInto, processesMarked, readProcess } from '../../src/io/process-table.js';
import { processes } from '../../src/io/processes.js';
import { groupLives } from '../../src/io/programs/kill.js';
import { endRemains } from '../../src/io/programs/remains.js';
import type { ProcessMark } from '../../src/ports/processes.js';
import type { Remains } from '../../src/ports/remains.js';
import { lockText, scratchLine, treeLine } from '../../src/record/marks.js';
import { sweepHome, type SweepPorts } from '../../src/record/sweep.js';
import { scratchFolder } from '../io/scratch.js';

const RUN = '2026-07-30T14-22-08-a3f9';

/** A mark of a process that has ended, on this boot. */
async function deadMark(): Promise<ProcessMark> {
  const child = spawn('true');
  const mark = processes.mark(child.pid ?? 0) ?? processes.self();
  await once(child, 'exit');
  return { ...mark, pid: child.pid ?? 0 };
}

interface Home {
  readonly home: string;
  readonly scratch: string;
  readonly place: (suffix: string) => string;
  readonly asked: Remains[];
  readonly told: string[];
  readonly sweep: (more?: Partial<SweepPorts>) => Promise<void>;
}

/** A home with one run whose process has died, and the scratch it left. */
async function deadHome({ lock, notes }: { lock?: string; notes?: (scratch: string) => string } = {}): Promise<Home> {
  const root = scratchFolder();
  const home = join(root, 'home');
  const scratch = join(root, 'cache/w-0123456789abcdef');
  const place = (suffix: string) => join(home, 'runs', `${RUN}${suffix}`);
  for (const folder of [place(''), join(scratch, 'deep')]) mkdirSync(folder, { recursive: true });
  writeFileSync(place('/record.jsonl'), 'x\n');
  writeFileSync(place('.lock'), lock ?? lockText(await deadMark(), processes.place()));
  writeFileSync(place('.groups.jsonl'), notes?.(scratch) ?? scratchLine(scratch));
  const asked: Remains[] = [];
  const told: string[] = [];
  const ports: SweepPorts = {
    disk: createDisk(),
    claims,
    processes,
    endRemains: async (remains) => (asked.push(remains), 3),
  };
  return { home, scratch, place, asked, told, sweep: (more) => sweepHome(home, { ...ports, ...more }, (line) => told.push(line)) };
}

describe('the sweep of a dead run', () => {
  it('[R-7 S-6 Q-20] ends what it left, removes its scratch, tells one line, and is done once; the folder stays as it was', async () => {
    const { home, place, scratch, asked, told, sweep } = await deadHome();
    await sweep();
    expect(told).toEqual([`The run ${RUN} was killed: 3 processes it had left running ended, its scratch folder removed.`]);
    expect(asked).toEqual([{ groups: [], scratch: [scratch], folder: place('') }]);
    expect(existsSync(scratch)).toBe(false);
    expect(readdirSync(join(home, 'runs'))).toEqual([RUN]);
    expect(readFileSync(place('/record.jsonl'), 'utf8')).toBe('x\n');
    await sweep();
    expect([told.length, asked.length]).toEqual([1, 1]);
  });

  it('[R-7] costs one listing while no lock is dead', async () => {
    const { place, sweep, asked, told } = await deadHome({ lock: lockText(processes.self(), processes.place()) });
    const disk = createDisk();
    const calls: string[] = [];
    await sweep({
      disk: {
        ...disk,
        list: (path) => (calls.push('list'), disk.list(path)),
        readHead: (path, bytes) => (calls.push('read'), disk.readHead(path, bytes)),
      },
    });
    expect(calls).toEqual(['list', 'read']);
    expect([asked, told, existsSync(place('.groups.jsonl'))]).toEqual([[], [], true]);
  });

  it.each([
    ['a living run', () => lockText(processes.self(), processes.place())],
    ['a run on another machine', () => lockText({ ...processes.self(), boot: 'another' }, { ...processes.place(), host: 'another' })],
    ['a run in another container', () => lockText({ ...processes.self(), started: '1' }, { ...processes.place(), space: 'pid:[1]' })],
    ['a lock that does not say where', () => lockText({ ...processes.self(), started: '1' })],
    ['a lock that is none', () => '{"pid":'],
  ])('[R-7 Q-20] never touches %s', async (_, lock) => {
    const { place, scratch, sweep, asked, told } = await deadHome({ lock: lock() });
    await sweep();
    expect([asked, told]).toEqual([[], []]);
    expect([scratch, place('.lock'), place('.groups.jsonl')].every((path) => existsSync(path))).toBe(true);
  });

  it('[R-7] takes a lock whose number went to a later process for dead', async () => {
    const { sweep, asked, scratch } = await deadHome({ lock: lockText({ ...processes.self(), started: '1' }, processes.place()) });
    await sweep();
    expect([asked.length, existsSync(scratch)]).toEqual([1, false]);
  });

  it('[R-7 S-6] after the machine was started anew removes the scratch and looks for no process', async () => {
    const { sweep, asked, told, scratch } = await deadHome({ lock: lockText({ ...processes.self(), boot: 'before' }, processes.place()) });
    await sweep();
    expect([asked.length, existsSync(scratch)]).toEqual([0, false]);
    expect(told).toEqual([`The run ${RUN} was killed: its scratch folder removed.`]);
  });

  it('[R-7 Q-20] takes a lock without a word for one of a run that was never born', async () => {
    const { sweep, place, home, told } = await deadHome({ lock: '' });
    await sweep();
    expect(existsSync(place('.lock'))).toBe(true);
    rmSync(place(''), { recursive: true });
    rmSync(place('.groups.jsonl'));
    await sweep();
    expect([readdirSync(join(home, 'runs')), told]).toEqual([[], []]);
  });

  it('[R-7] leaves a home of another user alone', async () => {
    const { sweep, asked, scratch } = await deadHome();
    await sweep({ claims: { ...claims, owner: async () => 'foreign-folder' } });
    expect([asked.length, existsSync(scratch)]).toEqual([0, true]);
  });

  it('[S-6] removes nothing that is not named like a scratch folder, and follows no link', async () => {
    const { sweep, home, scratch, told, asked } = await deadHome({
      notes: (path) => scratchLine(join(path, '../../precious')) + scratchLine(join(path, '../w-00000000000000aa')) + scratchLine('/'),
    });
    const precious = join(home, '../precious');
    mkdirSync(precious);
    symlinkSync(precious, join(scratch, '../w-00000000000000aa'));
    await sweep({ endRemains: async () => 0 });
    expect([existsSync(precious), existsSync(scratch), told, asked]).toEqual([true, true, [], []]);
  });

  it('[R-7 S-6] looks for no process by a folder that is not named like a scratch folder', async () => {
    const { scratch, sweep, asked } = await deadHome({
      notes: (path) => scratchLine('') + scratchLine('/') + scratchLine('/tmp') + scratchLine(path),
    });
    await sweep();
    expect(asked).toMatchObject([{ scratch: [scratch] }]);
  });

  it('[O-7] keeps a working tree and says how to drop it', async () => {
    const { sweep, scratch, told } = await deadHome({ notes: (path) => treeLine({ folder: path, from: '/a repository' }) });
    await sweep({ endRemains: async () => 0 });
    expect(existsSync(scratch)).toBe(true);
    expect(told).toEqual([
      `The run ${RUN} was killed: its working tree is kept in ${scratch}; to drop it: git -C '/a repository' worktree remove --force ${scratch}`,
    ]);
  });

  it('[R-7] is one command’s at a time, and goes on after one that died over it', async () => {
    const busy = await deadHome();
    writeFileSync(busy.place('.sweep'), lockText(processes.self(), processes.place()));
    await busy.sweep();
    expect([busy.asked, existsSync(busy.scratch), existsSync(busy.place('.sweep'))]).toEqual([[], true, true]);
    writeFileSync(busy.place('.sweep'), lockText(await deadMark(), processes.place()));
    await busy.sweep();
    expect([busy.asked.length, existsSync(busy.scratch), existsSync(busy.place('.sweep'))]).toEqual([1, false, false]);
  });

  it('[R-7] by several at once ends and tells everything once', async () => {
    const { home, told, asked, sweep } = await deadHome();
    await Promise.all([sweep(), sweep(), sweep(), sweep()]);
    expect([told.length, asked.length]).toEqual([1, 1]);
    expect(readdirSync(join(home, 'runs'))).toEqual([RUN]);
  });

  it('[R-7] that cannot remove the scratch says so and is tried again by the next command', async () => {
    const { sweep, told, place, scratch } = await deadHome();
    const disk = createDisk();
    const { DiskError } = await import('../../src/ports/disk.js');
    await sweep({
      endRemains: async () => 0,
      disk: {
        ...disk,
        remove: (path) => (path === scratch ? Promise.reject(new DiskError('remove', path, 'EACCES')) : disk.remove(path)),
      },
    });
    expect(told).toEqual([`The run ${RUN} was killed: its scratch folder could not be removed: ${scratch} (EACCES).`]);
    expect([existsSync(place('.lock')), existsSync(place('.sweep'))]).toEqual([true, false]);
    await sweep();
    expect(existsSync(scratch)).toBe(false);
  });

  it('[R-7] of a home that is not there, or cannot be listed, says nothing', async () => {
    const { sweep } = await deadHome();
    const told: string[] = [];
    const ports: SweepPorts = { disk: createDisk(), claims, processes, endRemains: async () => 0 };
    await sweepHome('/nowhere/at/all', ports, (line) => told.push(line));
    expect(told).toEqual([]);
    await sweep();
  });
});

const linux = existsSync('/proc/self/stat');

/** A shell as the leader of a group of its own; killed, with all of its group, when the test is over. */
function leader(command: string, env: Readonly<Record<string, string>> = {}, out: 'ignore' | number = 'ignore'): ChildProcess {
  const child = spawn('/bin/sh', ['-c', command], {
    detached: true,
    stdio: ['ignore', out, 'ignore'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  onTestFinished(() => {
    if (child.pid !== undefined && groupLives(child.pid)) process.kill(-child.pid, 'SIGKILL');
  });
  return child;
}

const living = (group: number): number[] =>
  listProcesses()
    .filter((entry) => entry.group === group && isLiving(entry))
    .map(({ pid }) => pid);

/** It has become the program it was started for: on the way there a process has no environment to read for a moment. */
const sleeps = (pid: number): boolean => listedName(pid) === 'sleep';

function listedName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

describe.runIf(linux)('the processes of a dead run', () => {
  const noRemains: Remains = { groups: [], scratch: [], folder: '/nowhere' };

  it('[E-2 R-7] of its groups end, also those that empty their environment', async () => {
    const child = leader('env -i sleep 1000 & env -i sleep 1000; :');
    const group = child.pid ?? 0;
    await until(() => living(group).length === 3);
    const mark = processes.mark(group) ?? processes.self();
    expect(await endRemains({ ...noRemains, groups: [mark] }, createClock())).toBe(3);
    expect(living(group)).toEqual([]);
  });

  it('[R-7] that only share a number are not hit: another start, or a leader that has gone', async () => {
    const child = leader('sleep 1000 & exec sleep 1000');
    const group = child.pid ?? 0;
    await until(() => living(group).length === 2);
    const mark = processes.mark(group) ?? processes.self();
    expect(await endRemains({ ...noRemains, groups: [{ ...mark, started: '1' }] }, createClock())).toBe(0);
    expect(await endRemains({ ...noRemains, groups: [{ ...mark, started: null }] }, createClock())).toBe(0);
    process.kill(group, 'SIGKILL');
    await until(() => living(group).length === 1 && readProcess(group) === null);
    expect(await endRemains({ ...noRemains, groups: [mark] }, createClock())).toBe(0);
    expect(living(group)).toHaveLength(1);
    process.kill(-group, 'SIGKILL');
  });

  it('[E-2 R-7] of a group whose leader has gone end when one of them carries the scratch', async () => {
    const scratch = scratchFolder();
    const child = leader('env -i sleep 1000 & sleep 1000 & exec sleep 1000', { TMPDIR: join(scratch, 'tmp') });
    const group = child.pid ?? 0;
    await until(() => living(group).length === 3 && processesMarked(scratch).some(({ pid }) => pid !== group && sleeps(pid)));
    const mark = processes.mark(group) ?? processes.self();
    process.kill(group, 'SIGKILL');
    await until(() => living(group).length === 2 && readProcess(group) === null);
    expect(await endRemains({ ...noRemains, groups: [mark], scratch: [scratch] }, createClock())).toBe(2);
    expect(living(group)).toEqual([]);
  });

  it('[E-2] that left their group are found by the scratch, or by where they print', async () => {
    const scratch = scratchFolder();
    const out = openSync(join(scratch, 'capture.txt'), 'a');
    leader('setsid sleep 1000 & setsid env -i sleep 1000; :', { TMPDIR: scratch }, out);
    const printing = () => listProcesses().filter(({ pid }) => printsInto(pid, scratch));
    await until(() => printing().filter(({ pid }) => sleeps(pid)).length === 2);
    expect(await endRemains({ groups: [], scratch: [scratch], folder: scratch }, createClock())).toBe(3);
    expect(printing().filter(isLiving)).toEqual([]);
    expect(await endRemains({ groups: [], scratch: [scratch], folder: scratch }, createClock())).toBe(0);
  });
});
