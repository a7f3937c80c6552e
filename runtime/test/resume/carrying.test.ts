import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../src/index.js';
import { worldOf } from '../../src/library/run.js';
import type { Disk } from '../../src/ports/disk.js';
import { DiskError } from '../../src/ports/disk.js';
import type { World } from '../../src/run/call.js';
import { callResume } from '../../src/run/resume/call.js';
import { clear, eventsOf, ground, stateOf, work } from './ground.js';

afterAll(clear);

/** Resumes a run that failed at 03-draft with a disk whose copies out of the donor's stages are another's doing. */
async function resumeWith(copy: (disk: Disk, from: string, to: string) => ReturnType<Disk['copy']>) {
  const at = ground();
  const donor = await at.run(work('03-draft'));
  const before = stateOf(donor.folder);
  const env = { PATH: process.env['PATH'], HOME: at.root, XDG_CACHE_HOME: join(at.root, 'cache') };
  const real = worldOf({ cwd: at.root, env, signal: new AbortController().signal });
  const world: World = {
    ...real,
    machine() {
      const machine = real.machine();
      const { disk } = machine;
      const altered: Disk = {
        ...disk,
        copy: (from, to, options) => (from.startsWith(join(donor.folder, 'stages')) ? copy(disk, from, to) : disk.copy(from, to, options)),
      };
      return { ...machine, disk: altered };
    },
  };
  const script = join(at.root, 'good.jsonl');
  writeFileSync(
    script,
    work()
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
  const words = { home: at.home, slots: [], optionNames: [], options: {} };
  const resumed = await callResume(
    { run: donor.name, words, models: { kind: 'scripted', file: script }, wishes: {}, planOnly: false },
    world,
  );
  if (!resumed.ok || resumed.called === null) throw new Error(JSON.stringify(resumed));
  expect(stateOf(donor.folder)).toBe(before);
  return resumed.called.outcome;
}

describe('[G-11] carrying', () => {
  it('[G-11 R-1] on a disk that is full ends as a fault before any stage begins, and the record says so', async () => {
    let copies = 0;
    const outcome = await resumeWith((disk, from, to) => {
      copies += 1;
      return copies === 1 ? disk.copy(from, to) : Promise.reject(new DiskError('copy', to, 'ENOSPC'));
    });
    expect(outcome.ending).toMatchObject({ cause: 'fault', exit: 2 });
    expect(outcome.ending.reason).toContain('ENOSPC');
    expect(eventsOf(outcome.folder).map(({ event }) => event)).toEqual(['run_start', 'stage_carried', 'run_end']);
    expect(await openRecord(outcome.folder).verify()).toMatchObject({ verified: true });
  });

  it('[G-11 K-11] of bytes that are no longer those that were verified is a fault as well', async () => {
    const outcome = await resumeWith(async (disk, from, to) => {
      await disk.copy(from, to);
      return { sha256: 'a'.repeat(64), bytes: 1 };
    });
    expect(outcome.ending).toMatchObject({ cause: 'fault', exit: 2 });
    expect(outcome.ending.reason).toContain('changed while it was carried over');
    expect(eventsOf(outcome.folder).map(({ event }) => event)).toEqual(['run_start', 'run_end']);
  });
});
