import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../../src/io/clock.js';
import { createPrograms } from '../../src/io/programs/programs.js';
import type { OwnedGroup } from '../../src/io/programs/living.js';
import { listProcesses, processesMarked } from '../../src/io/process-table.js';
import { keeperOf } from '../../src/io/sandbox/keeper.js';
import type { ProgramRequest } from '../../src/ports/programs.js';
import { baseArguments, wrappingArguments } from '../../src/sandbox/arguments.js';
import { matching } from '../expected.js';
import { LEAP_MS, leapingClock } from '../io/leaping-clock.js';
import { scratchFolder } from '../io/scratch.js';
import { launcher, NEEDS } from './ground.js';

interface Bench {
  readonly folder: string;
  readonly started: OwnedGroup[];
  run(command: string, more?: Partial<ProgramRequest>): ReturnType<ReturnType<typeof createPrograms>['run']>;
  sweep(): Promise<void>;
  text(): string;
}

/** With `until` programs run out of time as soon as that stands in their capture, and no earlier. */
function bench(keeper = launcher?.keeper ?? [], until?: RegExp): Bench {
  if (launcher === null) throw new Error(NEEDS);
  const found = launcher;
  const folder = scratchFolder();
  const started: OwnedGroup[] = [];
  const capture = join(folder, 'capture');
  const clock = until === undefined ? createClock() : leapingClock(() => existsSync(capture) && until.test(readFileSync(capture, 'utf8')));
  const programs = createPrograms({ clock, started: (group) => void started.push(group) });
  const args = wrappingArguments({
    places: [{ path: folder, kind: 'folder', sight: 'writable' }],
    network: false,
    emptyFile: '/dev/null',
    cwd: folder,
  });
  return {
    ...{ folder, started },
    run: (command, more = {}) =>
      programs.run({
        ...{ file: 'bash', args: ['-c', command], cwd: folder, capture, owner: 'test' },
        env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder, ONLY: 'x  y\n=é' },
        ...{ limitBytes: 1 << 20, timeoutMs: 60_000, stop: new AbortController().signal },
        within: { launcher: { ...found, keeper }, args, scratch: join(folder, 'launches') },
        ...more,
      }),
    sweep: () => programs.sweep('test', folder),
    text: () => readFileSync(capture, 'utf8'),
  };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

const living = (marker: string): number =>
  listProcesses().filter(({ pid, state }) => state !== 'Z' && commandOf(pid).includes(marker)).length;

const programsNamed = (command: string): number => listProcesses().filter(({ pid }) => commandOf(pid).startsWith(command)).length;

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe.skipIf(launcher === null)(`a contained program (${NEEDS})`, { timeout: 120_000 }, () => {
  describe.each([
    ['perl', true],
    ['node', false],
  ])('kept by %s', (_, perl) => {
    it.each([
      ['exit 0', { ended: 'exited', code: 0 }],
      ['exit 3', { ended: 'exited', code: 3 }],
      ['exit 137', { ended: 'exited', code: 137 }],
      ['kill -KILL $$', { ended: 'signalled', signal: 'SIGKILL' }],
      ['kill -TERM $$', { ended: 'signalled', signal: 'SIGTERM' }],
      ['kill -INT $$', { ended: 'signalled', signal: 'SIGINT' }],
      ['kill -SEGV $$', { ended: 'signalled', signal: 'SIGSEGV' }],
    ])('[I-13 K-8] %s is what it is without a sandbox', async (command, expected) => {
      expect((await bench(keeperOf(perl)).run(command)).end).toEqual(expected);
    });

    it('[I-13 K-8] one that cannot be started is told from one that says 127', async () => {
      const { run } = bench(keeperOf(perl));
      expect((await run('', { file: 'no-such-program' })).end).toEqual({
        ended: 'unstartable',
        message: expect.stringMatching(/^There is no program no-such-program on the PATH( that you may execute)?\.$/),
      });
      expect((await run('exit 127')).end).toEqual({ ended: 'exited', code: 127 });
    });
  });

  it('[I-13 K-7] its capture has its own bytes alone, in order; its environment is the one given', async () => {
    const { run, text, folder } = bench();
    await run(
      String.raw`printf '\377a'; printf b >&2; printf c; printf d > /proc/self/fd/2; printf '|%s|' "$ONLY" "\${HOME-unset}"; env | sort | cut -d= -f1 | tr '\n' ' '; ls /proc/self/fd | wc -l`,
    );
    const bytes = readFileSync(join(folder, 'capture'));
    expect(bytes.includes(Buffer.from([0xff, 0x61, 0x62, 0x63]))).toBe(false);
    expect(text()).toContain('|x  y\n=é|');
    expect(text()).toMatch(/\|ONLY PATH PWD SHLVL TMPDIR _ $|TMPDIR/m);
  });

  it('[I-13] nothing of what the launcher is told, and of what it reports, stays behind or can be seen inside', async () => {
    const { run, text, folder } = bench();
    await run('cat /proc/[0-9]*/cmdline | tr "\\0" " "; ls -l /proc/self/fd /proc/1/fd | grep -c launches');
    expect(text()).not.toContain('--ro-bind');
    expect(readdirSync(join(folder, 'launches'))).toEqual([]);
  });

  it('[I-13] when no sandbox can be made it says why, and nothing runs', async () => {
    const { run, text } = bench();
    const args = wrappingArguments({
      places: [{ path: '/no/such', kind: 'folder', sight: 'writable' }],
      network: false,
      emptyFile: '/dev/null',
      cwd: '/',
    });
    if (launcher === null) throw new Error(NEEDS);
    const { end } = await run('echo RAN', { within: { launcher, args, scratch: scratchFolder() } });
    expect(end).toEqual({ ended: 'unstartable', message: matching(/^No sandbox could be made for bash: .*\/no\/such/) });
    expect(text()).toBe('');
  });

  it('[I-13 K-8] one that reports for itself that all was well has not passed', async () => {
    const { end } = await bench().run('for at in /proc/[0-9]*/fd/2; do printf "\\nexit 0\\n" >> "$at"; done 2>/dev/null; exit 1');
    expect(end).toEqual({ ended: 'exited', code: 1 });
  });

  it.each([true, false])(
    '[I-13 K-13] past its time it is asked to end first, and whoever takes longer than the program too',
    async (perl) => {
      const { run, text, folder } = bench(keeperOf(perl), /(up\n.*){2}/s);
      const slow = 'trap \\"sleep 0.5; echo also asked; exit\\" TERM; echo up; while :; do sleep 0.05; done';
      const { end } = await run(`trap "echo asked; exit 0" TERM; setsid bash -c "${slow}" & echo up; while :; do sleep 0.05; done`);
      expect(end).toEqual({ ended: 'timeout' });
      expect(text()).toMatch(/^asked$/m);
      expect(text()).toContain('also asked\n');
      expect(processesMarked(folder)).toEqual([]);
    },
  );

  it('[I-13 K-13] what does not heed that is ended all the same, and all that it started', async () => {
    const { run, folder } = bench(undefined, /up/);
    const word = `sleep 98${process.pid}`;
    const { end, ms } = await run(
      `trap "" TERM; (trap "" TERM; setsid ${word}) & (setsid setsid ${word} &) ; echo up; while :; do ${word}; done`,
    );
    expect(end).toEqual({ ended: 'timeout' });
    expect(ms - LEAP_MS).toBeGreaterThanOrEqual(5000);
    expect(living(word.replace(' ', '\0'))).toBe(0);
    expect(processesMarked(folder)).toEqual([]);
  });

  it('[I-13 L-6] what it leaves running ends with it, before it is told that it ended', async () => {
    const { run, folder, started } = bench();
    const { end } = await run('setsid sleep 97 & sleep 96 & disown -a; env -i setsid sleep 95 & echo started', { leaveBehind: true });
    expect(end).toEqual({ ended: 'exited', code: 0 });
    expect(processesMarked(folder)).toEqual([]);
    expect(started).toMatchObject([{ contained: true, owner: 'test' }]);
    expect(listProcesses().some(({ group, state }) => group === started[0]?.group && state !== 'Z')).toBe(false);
  });

  it('[I-13 E-2] a sweep, a stop and too much output end it', async () => {
    const swept = bench();
    const running = swept.run('trap "echo swept" TERM; echo up; while :; do sleep 0.05; done');
    await until(() => swept.text().includes('up'));
    await swept.sweep();
    expect((await running).end.ended).not.toBe('timeout');
    expect(swept.text()).toContain('swept');

    const stopped = bench();
    const stop = new AbortController();
    const stopping = stopped.run('echo up; sleep 94', { stop: stop.signal });
    await until(() => stopped.text().includes('up'));
    stop.abort();
    expect((await stopping).end).toEqual({ ended: 'stopped' });

    const loud = bench();
    expect(await loud.run('while :; do echo too much; done', { limitBytes: 1000 })).toMatchObject({
      end: { ended: 'overflow' },
      bytes: 1000,
    });
  });

  it('[I-13 E-2] it ends with the process that started it, even when that is killed', async () => {
    if (launcher === null) throw new Error(NEEDS);
    const word = `93${process.pid}`;
    const words = [...baseArguments(false), '--', 'setsid', '-w', 'sleep', word];
    const parent = spawn(process.execPath, [
      '-e',
      `require('child_process').spawn(${JSON.stringify(launcher.file)}, ${JSON.stringify(words)}, {detached: true}); setInterval(() => {}, 1000)`,
    ]);
    onTestFinished(() => void parent.kill('SIGKILL'));
    // The launcher's own command line has these words too, before it has bound its life to its parent's.
    await until(() => programsNamed(`sleep\0${word}`) === 1);
    parent.kill('SIGKILL');
    await until(() => living(`sleep\0${word}`) === 0);
  });
});
