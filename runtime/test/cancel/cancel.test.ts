import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CancelPorts, cancelRun } from '../../src/cancel/cancel.js';
import { createDisk } from '../../src/io/disk.js';
import { interrupt } from '../../src/io/interrupt.js';
import { processes } from '../../src/io/processes.js';
import type { ProcessMark } from '../../src/ports/processes.js';
import { lockText } from '../../src/record/marks.js';
import { type Bundle, bundle, flow } from '../cli/bundle.js';
import { documentIn } from '../cli/documents.js';

const root = mkdtempSync(join(tmpdir(), 'cancel-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('[I-1 E-2] a run that goes on', () => {
  let command: Bundle;
  const env = { FLOW_HOME: join(root, 'home'), XDG_CACHE_HOME: join(root, 'cache') };
  beforeAll(async () => {
    command = await bundle();
    mkdirSync(join(root, 's'));
    writeFileSync(join(root, 's/STAGE.md'), '---\n---\nWrite it.\n');
    writeFileSync(join(root, 's/gate.sh'), '#!/bin/sh\n: "$1"\necho $$ > "$PWD/gate.new"; mv "$PWD/gate.new" "$PWD/gate"\nsleep 300\n');
    chmodSync(join(root, 's/gate.sh'), 0o755);
  });
  afterAll(() => command.remove());

  /** Resolves once the gate of the run says that it is running. */
  function gateRuns(): Promise<number> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!existsSync(join(root, 'gate'))) return;
        watcher.close();
        resolve(Number(readFileSync(join(root, 'gate'), 'utf8')));
      };
      const watcher = watch(root, look);
      look();
    });
  }

  it('[I-1 E-2 R-7] ends as Ctrl-C ends it, and the command waits for that; then there is nothing left to cancel', async () => {
    const running = flow(command, ['run', './s', 'x', '--rehearse', '--in', '.'], { cwd: root, env });
    const gate = await gateRuns();
    const cancelled = await flow(command, ['cancel', 'latest', '--json'], { cwd: root, env });
    const document = await documentIn(cancelled.out.toString());
    expect([cancelled.code, document]).toMatchObject([0, { cancelled: true, state: 'ended', cause: 'signal', exit: 130 }]);
    expect((await running).code).toBe(130);
    expect(processes.mark(gate)).toBeNull();
    const [run = ''] = readdirSync(join(root, 'home/runs')).filter((name) => !name.includes('.lock'));
    expect(readFileSync(join(root, 'home/runs', run, 'record.jsonl'), 'utf8')).toContain('"name":"SIGINT"');
    const again = await flow(command, ['cancel', run], { cwd: root, env });
    expect([again.code, again.err]).toEqual([1, `${run} is not running: it ended as signal.\n`]);
  });

  it('[I-1] no such run, a wait that is none: 1, 2', async () => {
    expect((await flow(command, ['cancel', 'nope'], { cwd: root, env })).code).toBe(1);
    expect((await flow(command, ['cancel', 'latest', '--wait', 'long'], { cwd: root, env })).code).toBe(2);
  });
});

describe('[R-7] who is told to end', () => {
  const self = processes.self();
  const here = processes.place();
  let count = 0;

  /** A run's folder whose lock says this, and a system on which its holder behaves like that. */
  function cancel(lock: string | null, system: Partial<CancelPorts> = {}, record = '') {
    const folder = join(root, `run-${(count += 1)}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'record.jsonl'), record);
    if (lock !== null) writeFileSync(`${folder}.lock`, lock);
    const told: ProcessMark[] = [];
    let now = 0;
    const ports: CancelPorts = {
      disk: createDisk(),
      processes: { ...processes, alive: () => true },
      clock: { elapsed: () => now, sleep: async (ms) => void (now += ms) },
      interrupt: (mark) => (told.push(mark), 'sent'),
      ...system,
    };
    return cancelRun(folder, 1000, ports).then((cancelled) => ({ cancelled, told, folder }));
  }

  it('[I-1] bounded, and told once only: a second signal would cut the ending short', async () => {
    const { cancelled, told } = await cancel(lockText(self, here));
    expect([cancelled, told.length]).toEqual([{ cancelled: 'waiting', pid: self.pid, ms: 1000 }, 1]);
  });

  it.each([
    ['another machine', { host: 'x', space: here.space }, self, { cancelled: 'elsewhere', where: 'machine' }],
    ['another container', { host: here.host, space: 'pid:[1]' }, self, { cancelled: 'elsewhere', where: 'container' }],
  ])('[I-1 R-7] on %s nobody is', async (_, place, mark, expected) => {
    const { cancelled, told } = await cancel(lockText(mark, place));
    expect([cancelled, told]).toEqual([expected, []]);
  });

  it.each([
    ['no lock', null],
    ['a lock that is none', 'x'],
  ])('[I-1] %s: not running', async (_, lock) => {
    const { cancelled, told } = await cancel(lock);
    expect([cancelled, told]).toEqual([{ cancelled: 'not-running', cause: null, exit: null }, []]);
  });

  it('[R-7] a number that another process has now is never told', async () => {
    const reused = { ...self, started: '1' };
    const { cancelled, told } = await cancel(lockText(reused, here), { processes });
    expect([cancelled, told]).toEqual([{ cancelled: 'not-running', cause: null, exit: null }, []]);
    expect(interrupt(reused)).toBe('gone');
    expect(interrupt({ pid: self.pid, started: null, boot: null })).toBe('unsure');
  });

  it('[I-1] a process that dies over it left no end', async () => {
    let looks = 0;
    const { cancelled } = await cancel(lockText(self, here), { processes: { ...processes, alive: () => (looks += 1) < 2 } });
    expect(cancelled).toEqual({ cancelled: 'died' });
  });

  it.each(['unsure', 'refused'] as const)('[I-1] %s is said', async (answer) => {
    const { cancelled } = await cancel(lockText(self, here), { interrupt: () => answer });
    expect(cancelled).toEqual({ cancelled: answer, pid: self.pid });
  });
});
