import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { anyNumber, containing, matching } from '../expected.js';
import { createClock } from '../../src/io/clock.js';
import { groupLives } from '../../src/io/programs/kill.js';
import { createPrograms, type NodePrograms } from '../../src/io/programs/programs.js';
import { carriesMarker, processesMarked, readProcess } from '../../src/io/process-table.js';
import type { OwnedGroup } from '../../src/io/programs/living.js';
import type { ProgramRequest } from '../../src/ports/programs.js';
import { DiskError } from '../../src/ports/disk.js';
import { LEAP_MS, leapingClock } from './leaping-clock.js';
import { program, scratchFolder } from './scratch.js';

interface Bench {
  readonly folder: string;
  readonly programs: NodePrograms;
  readonly started: OwnedGroup[];
  readonly capture: string;
  readonly text: () => string;
  readonly request: (file: string, more?: Partial<ProgramRequest>) => ProgramRequest;
  readonly script: (text: string, more?: Partial<ProgramRequest>) => ProgramRequest;
}

/** With `until` programs run out of time as soon as that stands in their capture, and no earlier. */
function bench(until?: RegExp): Bench {
  const folder = scratchFolder();
  const started: OwnedGroup[] = [];
  const capture = join(folder, 'capture');
  const clock = until === undefined ? createClock() : leapingClock(() => existsSync(capture) && until.test(readFileSync(capture, 'utf8')));
  const programs = createPrograms({ clock, started: (group) => void started.push(group) });
  const request = (file: string, more: Partial<ProgramRequest> = {}): ProgramRequest => ({
    file,
    args: [],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    capture,
    limitBytes: 1 << 20,
    timeoutMs: 20_000,
    stop: new AbortController().signal,
    owner: 'test',
    ...more,
  });
  const script = (text: string, more: Partial<ProgramRequest> = {}) =>
    request(program(join(folder, 'script.sh'), `#!/bin/sh\n${text}\n`), more);
  return { folder, programs, started, capture, request, script, text: () => readFileSync(capture, 'utf8') };
}

/** Waits until a condition holds; the test's own limit ends a wait in vain. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

function isNamed(pid: number, name: string): boolean {
  const comm = `/proc/${pid}/comm`;
  return existsSync(comm) && readFileSync(comm, 'utf8').trim() === name;
}

describe('running a program', () => {
  it('[K-7] executes the file itself, with its arguments, in its folder, with empty standard input and only the environment given', async () => {
    const { programs, script, text, folder } = bench();
    const result = await programs.run(
      script('printf "%s|" "$1" "$PWD" "$ONLY" "${HOME-unset}"; cat; exit 3', { args: ['a b'], env: { PATH: '/bin:/usr/bin', ONLY: 'x' } }),
    );
    expect(result.end).toEqual({ ended: 'exited', code: 3 });
    expect(text()).toBe(`a b|${folder}|x|unset|`);
    expect(result.bytes).toBe(Buffer.byteLength(text()));
  });

  it('[K-7] keeps the order of both outputs', async () => {
    const { programs, script, text } = bench();
    await programs.run(script('i=0; while [ $i -lt 200 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done'));
    const expected = Array.from({ length: 200 }, (_, i) => `o${i}\ne${i}\n`).join('');
    expect(text()).toBe(expected);
  });

  it('[K-7 K-15] captures exact bytes, privately', async () => {
    const { programs, script, capture } = bench();
    await programs.run(script("printf '\\000\\377\\200a\\r\\n'"));
    expect([...readFileSync(capture)]).toEqual([0, 255, 128, 97, 13, 10]);
    expect(statSync(capture).mode & 0o777).toBe(0o600);
  });

  it('[K-7] truncates an earlier capture and never writes through a link', async () => {
    const { programs, script, capture, folder, text } = bench();
    writeFileSync(capture, 'old and long');
    await programs.run(script('echo new'));
    expect(text()).toBe('new\n');
    const elsewhere = join(folder, 'elsewhere');
    symlinkSync(elsewhere, join(folder, 'link'));
    await expect(programs.run(script('echo x', { capture: join(folder, 'link') }))).rejects.toThrow(DiskError);
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('[K-8] names the signal that killed a program', async () => {
    const { programs, script } = bench();
    expect((await programs.run(script('kill -SEGV $$'))).end).toEqual({ ended: 'signalled', signal: 'SIGSEGV' });
  });

  it('[R-7] tells of every group as it is born, with what names it for ever', async () => {
    const { programs, script, started } = bench();
    await programs.run(script('exit 0'));
    expect(started).toEqual([{ group: anyNumber(), startTime: matching(/^\d+$/), owner: 'test' }]);
  });

  it('[R-7] ends a program whose birth could not be noted', async () => {
    const { folder, script } = bench();
    const born: number[] = [];
    const programs = createPrograms({
      clock: createClock(),
      started: ({ group }) => {
        born.push(group);
        throw new DiskError('append', join(folder, 'groups.jsonl'), 'ENOSPC');
      },
    });
    await expect(programs.run(script('sleep 60'))).rejects.toThrow('ENOSPC');
    expect(born.map(groupLives)).toEqual([false]);
  });
});

describe('programs that cannot start', () => {
  it.each([
    ['no such file', '/nowhere/gate', /does not exist/],
    ['no such program', 'no-such-program-anywhere', /no program no-such-program-anywhere on the PATH/],
    ['a folder', '/', /is a folder/],
  ])('[K-8] %s', async (_, file, message) => {
    const { programs, request } = bench();
    expect((await programs.run(request(file))).end).toEqual({ ended: 'unstartable', message: matching(message) });
  });

  it('[K-8] a missing interpreter, also one that ends in a carriage return', async () => {
    const { programs, request, folder } = bench();
    const missing = await programs.run(request(program(join(folder, 'a'), '#!/no/such/interpreter\n')));
    expect(missing.end).toMatchObject({ ended: 'unstartable', message: containing('/no/such/interpreter') });
    const windows = await programs.run(request(program(join(folder, 'b'), '#!/bin/sh\r\nexit 0\r\n')));
    expect(windows.end).toMatchObject({ ended: 'unstartable', message: containing('carriage return') });
  });

  it('[K-8] a file without its executable bit', async () => {
    const { programs, request, folder } = bench();
    writeFileSync(join(folder, 'plain'), '#!/bin/sh\n', { mode: 0o644 });
    expect((await programs.run(request(join(folder, 'plain')))).end).toMatchObject({
      ended: 'unstartable',
      message: containing('chmod +x'),
    });
  });

  it('[K-8] a working directory that is gone', async () => {
    const { programs, script } = bench();
    const end = (await programs.run(script('exit 0', { cwd: '/nowhere' }))).end;
    expect(end).toEqual({ ended: 'unstartable', message: 'The working directory /nowhere does not exist.' });
  });

  it('[K-7] a capture that cannot be written is broken machinery', async () => {
    const { programs, script, folder } = bench();
    writeFileSync(join(folder, 'file'), '');
    await expect(programs.run(script('exit 0', { capture: join(folder, 'file', 'capture') }))).rejects.toThrow(DiskError);
    await expect(programs.run(script('exit 0', { capture: folder }))).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

describe('ending programs', () => {
  it('[K-8 K-13] a program out of time is timeout, whatever it says when it is ended', async () => {
    const { programs, script, started, text } = bench(/up/);
    const result = await programs.run(script('trap "echo bye; exit 0" TERM; echo up; while :; do sleep 0.05; done'));
    expect(result.end).toEqual({ ended: 'timeout' });
    expect(text()).toMatch(/^up\n[^]*bye\n$/);
    expect(started.map(({ group }) => groupLives(group))).toEqual([false]);
  });

  it('[K-13] what ignores SIGTERM is killed after 5 s, with all of its group', async () => {
    const { programs, script, started } = bench(/(up\n.*){2}/s);
    const result = await programs.run(
      script('trap "" TERM; sh -c "trap \'\' TERM; echo up; sleep 60" & echo up; while :; do sleep 0.05; done'),
    );
    expect(result.end).toEqual({ ended: 'timeout' });
    expect(result.ms - LEAP_MS).toBeGreaterThanOrEqual(5000);
    expect(started.map(({ group }) => groupLives(group))).toEqual([false]);
  });

  it('[E-2] a stop ends it; one that came before keeps it from starting', async () => {
    const { programs, script, started } = bench();
    const stop = new AbortController();
    const running = programs.run(script('sleep 60', { stop: stop.signal }));
    await until(() => started.length === 1);
    stop.abort();
    expect((await running).end).toEqual({ ended: 'stopped' });
    expect((await programs.run(script('exit 0', { stop: stop.signal }))).end).toEqual({ ended: 'stopped' });
    expect(started).toHaveLength(1);
  });

  it('[K-8 Q-11] output past the limit ends it and the capture is cut', async () => {
    const { programs, script, capture } = bench();
    const result = await programs.run(script('exec yes', { limitBytes: 100_000 }));
    expect(result).toMatchObject({ end: { ended: 'overflow' }, bytes: 100_000 });
    expect(statSync(capture).size).toBe(100_000);
  });

  it('[K-8] a program that wrote too much and was gone before anybody looked is overflow too; the limit itself is not', async () => {
    const { programs, script } = bench();
    const print = (bytes: number) => script(`head -c ${bytes} /dev/zero; exit 75`, { limitBytes: 5000 });
    expect(await programs.run(print(5001))).toMatchObject({ end: { ended: 'overflow' }, bytes: 5000 });
    expect(await programs.run(print(5000))).toMatchObject({ end: { ended: 'exited', code: 75 }, bytes: 5000 });
  });

  it('[K-13] a grandchild that holds the descriptor does not hang a finished gate and is ended', async () => {
    const { programs, script, started, text } = bench();
    const result = await programs.run(script('sleep 60 & echo kept; exit 4'));
    expect(result.end).toEqual({ ended: 'exited', code: 4 });
    expect(text()).toBe('kept\n');
    expect(started.map(({ group }) => groupLives(group))).toEqual([false]);
  });
});

describe('what is left behind', () => {
  it('[L-6] lives until its owner is swept, and only its owner', async () => {
    const { programs, script, started } = bench();
    await programs.run(script('sleep 60 & exit 0', { leaveBehind: true, owner: 'a' }));
    await programs.run(script('sleep 60 & exit 0', { leaveBehind: true, owner: 'b' }));
    const lives = () => started.map(({ group }) => groupLives(group));
    expect(lives()).toEqual([true, true]);
    await programs.sweep('a');
    expect(lives()).toEqual([false, true]);
    await programs.sweep('b');
    expect(lives()).toEqual([false, false]);
  });

  it.runIf(readProcess(process.pid))(
    '[L-6 E-2] what left its group is found by the marker in its environment, where there is /proc',
    async () => {
      const { programs, script, folder } = bench();
      const marker = join(folder, 'w-marker');
      const env = { PATH: process.env['PATH'] ?? '', TMPDIR: join(marker, 'tmp') };
      await programs.run(script('setsid sleep 60 & echo $! ; exit 0', { leaveBehind: true, env }));
      // While it becomes another program a process has no environment to read.
      await until(() => processesMarked(marker).some(({ pid }) => isNamed(pid, 'sleep')) && processesMarked(marker).length === 1);
      await programs.sweep('somebody else', `${marker}-other`);
      expect(processesMarked(marker)).toHaveLength(1);
      await programs.sweep('somebody else', marker);
      expect(processesMarked(marker)).toEqual([]);
    },
  );

  it.runIf(readProcess(process.pid))('[L-6 E-2] nothing hides from that look while it becomes another program (needs /proc)', () => {
    for (let times = 0; times < 10; times += 1) {
      const command = 'setsid env nice sleep 60 > /dev/null & echo $!';
      const env = { PATH: process.env['PATH'] ?? '', TMPDIR: '/w-marker' };
      const pid = Number(execFileSync('/bin/sh', ['-c', command], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      const seen = Array.from({ length: 100 }, () => carriesMarker(pid, '/w-marker'));
      process.kill(pid, 'SIGKILL');
      expect(seen).not.toContain(false);
    }
  });

  it('[L-6 S-5] what it left behind may not write for ever', async () => {
    const { programs, script, started, capture } = bench();
    await programs.run(script('yes & exit 0', { leaveBehind: true, limitBytes: 50_000_000 }));
    await until(() => started.every(({ group }) => !groupLives(group)));
    await until(() => statSync(capture).size === 50_000_000);
    expect(started).toHaveLength(1);
  });

  it('[E-2] ends at once when asked to', async () => {
    const { programs, script, started } = bench();
    await programs.run(script('sh -c "trap \'\' TERM; sleep 60" & exit 0', { leaveBehind: true }));
    programs.killNow();
    await until(() => started.every(({ group }) => !groupLives(group)));
    expect(started).toHaveLength(1);
    await programs.sweep('test');
  });
});
