import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAppendFile } from '../../src/io/append-file.js';
import { claims } from '../../src/io/claims.js';
import { processes } from '../../src/io/processes.js';
import type { ClaimPorts } from '../../src/record/claim.js';
import { claimRun } from '../../src/record/claim.js';
import { openHome } from '../../src/record/home.js';
import { parseGroups, parseLock } from '../../src/record/marks.js';

let home = '';
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'claim-')), 'home');
});
afterEach(() => rmSync(join(home, '..'), { recursive: true }));

const disk = {
  makeFolder: async (path: string) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
  remove: (path: string) => rm(path, { recursive: true, force: true }),
};

function ports(hex: string[]): ClaimPorts {
  const next = [...hex];
  return {
    clock: { now: () => Date.UTC(2026, 6, 30, 14, 22, 8) },
    ids: { hex: () => next.shift() ?? 'ffff' },
    claims,
    processes,
    disk,
    openAppend: openAppendFile,
  };
}

describe('the home', () => {
  it('[O-6] is made 0700 with its runs, and opened again', async () => {
    expect(await openHome(home, { claims, disk })).toBeNull();
    expect(await openHome(home, { claims, disk })).toBeNull();
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'runs')).mode & 0o777).toBe(0o700);
  });

  it('[O-6] is refused when it is a link, a file, or of another user', async () => {
    mkdirSync(`${home}-real`);
    symlinkSync(`${home}-real`, home);
    expect(await openHome(home, { claims, disk })).toMatchObject({
      code: 'value-invalid',
      path: 'command',
      message: expect.stringContaining('symbolic link'),
    });
    rmSync(home);
    writeFileSync(home, '');
    expect(await openHome(home, { claims, disk })).toMatchObject({ message: expect.stringContaining('not a folder') });
    const foreign = { ...claims, owner: () => Promise.resolve('foreign-folder' as const) };
    expect(await openHome(home, { claims: foreign, disk })).toMatchObject({ message: expect.stringContaining('another user') });
  });
});

describe('a claim', () => {
  it('[O-6 R-7] names the run by second and hex, locks it beside the folder, and leaves nothing when released', async () => {
    await openHome(home, { claims, disk });
    const run = await claimRun(home, ports(['a3f9']));
    expect(run.name).toBe('2026-07-30T14-22-08-a3f9');
    expect(statSync(run.folder).mode & 0o777).toBe(0o700);
    expect(statSync(run.lock).mode & 0o777).toBe(0o600);
    expect(parseLock(readFileSync(run.lock, 'utf8'))).toEqual(processes.self());
    await run.release();
    expect(readdirSync(join(home, 'runs'))).toEqual([run.name]);
  });

  it('[O-6] goes on to another name when one is taken, by a folder or by a lock', async () => {
    await openHome(home, { claims, disk });
    mkdirSync(join(home, 'runs', '2026-07-30T14-22-08-0000'));
    writeFileSync(join(home, 'runs', '2026-07-30T14-22-08-0001.lock'), '');
    const run = await claimRun(home, ports(['0000', '0001', '0002']));
    expect(run.name).toBe('2026-07-30T14-22-08-0002');
    expect(existsSync(join(home, 'runs', '2026-07-30T14-22-08-0000.lock'))).toBe(false);
  });

  it('[O-6] is won by exactly one of many', async () => {
    await openHome(home, { claims, disk });
    const names = Array.from({ length: 24 }, (_, n) => n.toString(16).padStart(4, '0'));
    const runs = await Promise.all(names.map(() => claimRun(home, ports(names))));
    expect(new Set(runs.map((run) => run.name)).size).toBe(24);
  });

  it('[O-6] gives up with an error, not a hang, when every name is taken', async () => {
    await openHome(home, { claims, disk });
    mkdirSync(join(home, 'runs', '2026-07-30T14-22-08-ffff'));
    await expect(claimRun(home, ports([]))).rejects.toMatchObject({ name: 'DiskError', code: 'EEXIST' });
  });

  it('[R-7 S-6] notes process groups and scratch folders for a later command', async () => {
    await openHome(home, { claims, disk });
    const run = await claimRun(home, ports(['a3f9']));
    expect(existsSync(run.groups)).toBe(false);
    run.scratch('/cache/w-1');
    run.group(processes.self());
    const text = readFileSync(run.groups, 'utf8');
    expect(parseGroups(`${text}{"scratch":"/to`)).toEqual({ groups: [processes.self()], scratch: ['/cache/w-1'], trees: [] });
    await run.release();
    expect(existsSync(run.groups)).toBe(false);
  });
});

describe('a process mark', () => {
  it('[R-7] tells a live process from a dead one and from a later one of the same number', async () => {
    expect(processes.alive(processes.self())).toBe(true);
    const child = spawn('sleep', ['60']);
    const mark = processes.mark(child.pid ?? 0);
    expect(mark).not.toBeNull();
    if (mark === null) return;
    expect(processes.alive(mark)).toBe(true);
    expect(processes.alive({ ...mark, started: '1' })).toBe(mark.started === null);
    expect(processes.alive({ ...mark, boot: 'another' })).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(processes.alive(mark)).toBe(false);
    expect(processes.mark(mark.pid)).toBeNull();
  });

  it.each(['', '{}', 'null', '{"pid":0,"started":null,"boot":null}', '{"pid":-5,"started":null,"boot":null}', '{"pid":"1"}'])(
    '[R-7] is not read from %j',
    (text) => {
      expect(parseLock(text)).toBeNull();
    },
  );
});
