import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssembly, type ReadResult, snapshotOf } from '@gated-flow/assembly';
import { describe, expect, it } from 'vitest';
import { partDifference } from '../../src/run/resume/part.js';
import { createManualClock } from '../../src/testing/manual-clock.js';
import { changesBetween, type Contents, contentsOf, leftoversIn, withoutInner } from '../../src/watch/contents.js';
import { placesOf } from '../../src/watch/places.js';
import { openSettling } from '../../src/watch/settling.js';
import { scratchFolder } from '../io/scratch.js';
import { assembly, plant, stage } from '../plan/ground.js';

const file = (path: string, sha256: string, executable = false) =>
  ({ kind: 'file', path, sha256, executable, size: 1, head: new Uint8Array() }) as const;
const of = (...files: readonly ReturnType<typeof file>[]): Contents => contentsOf(snapshotOf('/a', files), []);

describe('[I-1] what became different', () => {
  it.each([
    ['nothing, whatever the times', of(file('a', '1')), of(file('a', '1')), []],
    ['bytes', of(file('a', '1')), of(file('a', '2')), [{ change: 'changed', path: 'a' }]],
    ['the executable bit', of(file('a', '1')), of(file('a', '1', true)), [{ change: 'mode', path: 'a' }]],
    ['a new file', of(), of(file('a', '1')), [{ change: 'added', path: 'a' }]],
    ['a removed one', of(file('a', '1')), of(), [{ change: 'removed', path: 'a' }]],
    ['a renamed one', of(file('a', '1')), of(file('b', '1')), [{ change: 'renamed', path: 'b', from: 'a' }]],
  ])('[I-1] %s', (_, before, after, changes) => expect(changesBetween(before, after)).toEqual(changes));

  it('[I-1] a folder that went says what went in it', () => {
    const before = contentsOf(snapshotOf('/a', [{ kind: 'folder', path: 'x' }, file('x/1', '1'), file('x/2', '2')]), []);
    expect(withoutInner(changesBetween(before, of()), of(), before)).toEqual([{ change: 'removed', path: 'x' }]);
  });

  it('[I-1] what editors leave for a moment is known by its name', () => {
    const names = ['4913', 'a.md~', '#a.md#', 'a.md.swp', 'a.md___jb_tmp___', 'a.md___jb_old___'];
    expect(leftoversIn(of(...[...names, '01-a.md'].map((name) => file(name, name))))).toEqual(names);
  });
});

it('[I-1] looked at are the assembly and its fixtures, what leads to it, and the named files; never dots, what is opaque, the home', () => {
  const { keeps, folders } = placesOf({ root: '/w/p/a', cwd: '/w', files: ['/t/ticket.txt'], opaque: ['docs'], home: '/w/p/a/home' });
  expect(folders).toEqual(['/w', '/t']);
  for (const path of ['/w', '/w/p', '/w/p/a', '/w/p/a/flows/x/01-a/.fixtures/pass/a.txt', '/t', '/t/ticket.txt'])
    expect([path, keeps(path)]).toEqual([path, true]);
  for (const path of [
    '/w/q',
    '/w/p/b',
    '/w/p/a/.git',
    '/w/p/a/flows/.x.swp',
    '/w/p/a/docs/x',
    '/w/p/a/home',
    '/w/p/a/home/runs',
    '/t/other',
  ])
    expect([path, keeps(path)]).toEqual([path, false]);
});

describe('[I-1] many changes at once are one', () => {
  it('[I-1] it is over when nothing has happened for a moment', async () => {
    const clock = createManualClock();
    const settling = openSettling(clock, { quietMs: 100, latestMs: 1_000 });
    let settled = 0;
    void settling.settled().then(() => (settled += 1));
    settling.touch();
    await clock.advance(90);
    settling.touch();
    await clock.advance(90);
    expect(settled).toBe(0);
    await clock.advance(10);
    expect(settled).toBe(1);
    expect(clock.waiting()).toBe(0);
  });

  it('[I-1] what never rests is looked at all the same', async () => {
    const clock = createManualClock();
    const settling = openSettling(clock, { quietMs: 100, latestMs: 1_000 });
    let at: number | null = null;
    void settling.settled().then(() => (at = clock.elapsed()));
    for (let step = 0; step < 30; step += 1) {
      settling.touch();
      await clock.advance(50);
    }
    expect(at).toBe(1_000);
  });

  it('[I-1] a change while nobody waits is not lost', async () => {
    const clock = createManualClock();
    const settling = openSettling(clock, { quietMs: 100, latestMs: 1_000 });
    settling.touch();
    await clock.advance(200);
    await expect(settling.settled()).resolves.toBeUndefined();
  });
});

it('[I-1 G-11 C-13] a contract in the folder of contracts counts: what extends it is held to another', async () => {
  const root = plant(scratchFolder(), assembly({ '01-read.md': stage() }, { 'contracts/base.contract.yaml': 'before\n' }));
  const read = async () => {
    const { assembly: whole } = sound(await readAssembly(root));
    const [flow] = whole.flows;
    const step = flow?.steps[0];
    if (flow === undefined || step === undefined) throw new Error('the assembly has no step');
    return { assembly: whole, flow, step };
  };
  const before = await read();
  expect(partDifference(before, await read())).toBeNull();
  writeFileSync(join(root, 'contracts/base.contract.yaml'), 'after\n');
  expect(partDifference(before, await read())).toBe('contracts/base.contract.yaml was changed');
});

function sound(read: ReadResult) {
  const seen = read.ok ? read : read.sound;
  if (seen === undefined) throw new Error('the structure is not sound');
  return seen;
}
