import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../src/index.js';
import { clear, damageOf, eventsOf, ground, refusalOf, stateOf } from '../resume/ground.js';
import { calls, sh, stage, stops, wrote } from '../run/ground.js';

afterAll(clear);

const TREE = {
  '01-list/STAGE.md': stage('List.\n\n# Checklist\n\n- Read it\n- Wrote it\n', 'retries: 2\n'),
  '01-list/gate/01-word.sh': sh('grep -q two "$1" || { echo "no two"; exit 1; }'),
  '02-tell/STAGE.md': stage('Tell.', 'retries: 0\n'),
  '02-tell/before.sh': sh('echo ran >> "$PWD/hooks"'),
  '02-tell/gate.sh': sh('test "$(cat "$INPUT/list.txt")" = two || { echo "what was given?"; exit 1; }'),
};
/** Three rounds: unmarked, marked but without the word, and with it. */
const LINES = [
  wrote('01-list', 'one'),
  stops('01-list'),
  calls('01-list', 'mark', { item: 1, state: 'done', evidence: 'e' }),
  calls('01-list', 'mark', { item: 2, state: 'skipped', evidence: 'e', reason: 'r' }),
  stops('01-list'),
  wrote('01-list', 'two'),
  stops('01-list'),
  wrote('02-tell', 'told'),
  stops('02-tell'),
];

type Ground = ReturnType<typeof ground>;

async function replayed(at: Ground) {
  const result = await at.replay();
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result;
}

async function rowsOf(at: Ground): Promise<readonly string[]> {
  return (await replayed(at)).attempts.map((row) => {
    if (row.attempt === null) return `${row.stage}: ${row.why}`;
    const [then, now] = [row.then, row.now].map((told) => (told === null ? '-' : `${told.verdict}${told.check ? ` ${told.check}` : ''}`));
    return `${row.stage} ${row.attempt}: ${then} > ${now}, ${row.outcome}`;
  });
}

const STAYED = [
  '01-list 1: failed checklist > failed checklist, stayed',
  '01-list 2: failed gate/01-word.sh > failed gate/01-word.sh, stayed',
  '01-list 3: passed > passed, stayed',
  '02-tell 1: passed > passed, stayed',
];

async function done() {
  const at = ground(TREE);
  const donor = await at.run(LINES);
  expect(donor.cause).toBe('success');
  return { at, donor };
}

describe('[M-7] a replay', () => {
  it('[M-7] puts outputs, marks and inputs of every attempt in place; no hook runs, no donor byte changes, its record proves it', async () => {
    const { at, donor } = await done();
    const before = stateOf(donor.folder);
    rmSync(join(at.root, 'work/hooks'));
    expect(await rowsOf(at)).toEqual(STAYED);
    const { outcome } = await replayed(at);
    expect(stateOf(donor.folder)).toBe(before);
    expect(existsSync(join(at.root, 'work/hooks'))).toBe(false);
    expect(outcome.ending).toMatchObject({ cause: 'success', exit: 0 });
    const events = eventsOf(outcome.folder);
    expect(events[0]).toMatchObject({ model_source: 'replay', continued_from: donor.name });
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set(['run_start', 'stage_start', 'gate_start', 'check', 'stage_end', 'run_end']),
    );
    expect(events.filter(({ event }) => event === 'check').map((one) => [one['retry'], one['file'] ?? one['check'], one['exit']])).toEqual([
      ...[
        [1, 'output', 0],
        [1, 'checklist', 1],
      ],
      ...[
        [2, 'output', 0],
        [2, 'checklist', 0],
        [2, 'gate/01-word.sh', 1],
      ],
      ...[
        [3, 'output', 0],
        [3, 'checklist', 0],
        [3, 'gate/01-word.sh', 0],
      ],
      ...[
        [1, 'output', 0],
        [1, 'gate.sh', 0],
      ],
    ]);
    expect(await openRecord(outcome.folder).verify()).toMatchObject({ verified: true, differences: [] });
    rmSync(donor.folder, { recursive: true });
    expect(await openRecord(outcome.folder).verify()).toMatchObject({ verified: true });
  });

  it('[M-7] finds whom a changed gate lets through now, and whom no more', async () => {
    const { at } = await done();
    at.plant({ '01-list/gate/01-word.sh': sh('grep -q one "$1" || { echo "no one"; exit 1; }') });
    const { attempts, outcome } = await replayed(at);
    expect(outcome.ending).toMatchObject({ exit: 1, cause: 'rejected' });
    const no = (text: string) => ({ verdict: 'failed', check: 'gate/01-word.sh', text });
    const yes = { verdict: 'passed' };
    expect(attempts.filter(({ outcome: one }) => one === 'changed')).toEqual([
      { stage: '01-list', attempt: 2, then: no('no two\n'), now: yes, outcome: 'changed' },
      { stage: '01-list', attempt: 3, then: yes, now: no('no one\n'), outcome: 'changed' },
    ]);
    expect(await openRecord(outcome.folder).verify()).toMatchObject({ verified: true });
  });

  it('[M-7] takes other words and another check with the same answer for the same verdict', async () => {
    const { at } = await done();
    renameSync(join(at.flow, '01-list/gate/01-word.sh'), join(at.flow, '01-list/gate/02-other.sh'));
    expect((await rowsOf(at))[1]).toBe('01-list 2: failed gate/01-word.sh > failed gate/02-other.sh, stayed');
  });

  it('[M-7 K-8] judges on when a gate of today is broken, and ends as impossible', async () => {
    const { at } = await done();
    at.plant({ '02-tell/gate.sh': sh('exit 127') });
    expect(await rowsOf(at)).toEqual([...STAYED.slice(0, 3), '02-tell 1: passed > fault gate.sh, fault']);
    const { outcome } = await replayed(at);
    expect(outcome.ending).toMatchObject({ exit: 2, cause: 'fault' });
    expect(await openRecord(outcome.folder).verify()).toMatchObject({ verified: true });
  });

  it('[M-7 K-8] tells a block from a no', async () => {
    const { at } = await done();
    at.plant({ '02-tell/gate.sh': sh('echo outside; exit 75') });
    expect((await rowsOf(at))[3]).toBe('02-tell 1: passed > blocked gate.sh, changed');
  });

  it('[M-7] says which stages are gone and which are new', async () => {
    const { at } = await done();
    renameSync(join(at.flow, '02-tell'), join(at.flow, '02-say'));
    const gone = ['02-tell: the assembly has no such stage now', '02-say: nothing of it was recorded'];
    expect(await rowsOf(at)).toEqual([...STAYED.slice(0, 3), ...gone]);
  });

  it('[M-7] judges by a schema that has come meanwhile, whatever its extension', async () => {
    const { at } = await done();
    at.plant({ '02-tell/schema.json': '{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":1}}}' });
    expect((await rowsOf(at))[3]).toBe('02-tell 1: passed > failed schema, changed');
  });

  it('[M-7] of a failed run; and of a replay: of what that replayed', async () => {
    const at = ground({ '01-a/STAGE.md': stage('Write.', 'retries: 0\n'), '01-a/gate': sh('exit 3') });
    const donor = await at.run([stops('01-a')]);
    expect(donor.cause).toBe('exhausted');
    expect(await rowsOf(at)).toEqual(['01-a 1: failed output > failed output, stayed']);
    expect((await replayed(at)).replayed).toBe(donor.name);
  });

  it('[M-7] is refused for a run in which nothing was judged, and for one that was altered', async () => {
    const at = ground({ '01-a/STAGE.md': stage('Write.'), '01-a/before': sh('exit 1') });
    await at.run([]);
    expect(refusalOf(await at.replay())).toContain('Nothing was judged in');
    const { at: other, donor } = await done();
    writeFileSync(join(donor.folder, 'stages/01-list/1/2/output.txt'), 'two');
    expect(damageOf(await other.replay())).toEqual(['stages/01-list/1/2/output.txt']);
    expect(other.runs()).toHaveLength(1);
  });

  it('[M-7 O-7] says it when the working tree is gone, and takes another', async () => {
    const { at } = await done();
    renameSync(join(at.root, 'work'), join(at.root, 'moved'));
    expect(refusalOf(await at.replay())).toContain('is gone. Name another one with --in DIR.');
    expect((await at.replay({ in: join(at.root, 'moved') })).ok).toBe(true);
  });
});
