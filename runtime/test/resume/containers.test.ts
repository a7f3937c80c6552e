import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../src/index.js';
import { calls, type Line, sh, stage, stops, type Tree, wrote } from '../run/ground.js';
import { carriedOf, clear, eventsOf, ground } from './ground.js';

afterAll(clear);

const GATE = {
  '09-end/STAGE.md': stage('End.', 'retries: 0\n'),
  '09-end/gate.sh': sh('test -e "$PWD/../open" || { ls "$INPUT"; exit 1; }'),
};
const write = (name: string): readonly Line[] => [wrote(name, `${name}\n`), stops(name)];
const ITEMS = '{"xs":[{"id":"b","input":{}},{"id":"a","input":{}}]}';
const BESIDE: Tree = { 'subflows/one/FLOW.md': '---\ndescription: One\n---\n', 'subflows/one/01-do.md': '---\n---\nDo it.\n' };

const CONTAINERS: readonly (readonly [string, Tree, readonly Line[], string, readonly string[]])[] = [
  [
    'a loop',
    { '02-round/LOOP.md': '---\nrepeat: 2\n---\n', '02-round/01-go.md': '---\n---\nGo.\n' },
    [...write('02-round/01-go'), ...write('02-round/01-go')],
    '02-round',
    ['round.txt'],
  ],
  [
    'a choice',
    {
      '02-way/CHOOSE.md': '---\n---\nChoose.\n\n- `left`: one\n- `right`: other\n',
      '02-way/left.md': '---\n---\nL.\n',
      '02-way/right/01-a.md': '---\n---\nR.\n',
    },
    [calls('02-way', 'select', { name: 'right', reason: 'r' }), ...write('02-way/right/01-a')],
    '02-way',
    ['right.txt'],
  ],
  [
    'branches',
    {
      '02-both/PARALLEL.md': '---\n---\n',
      '02-both/x.md': '---\n---\nX.\n',
      '02-both/a/01-a.md': '---\n---\nA.\n',
      '02-both/a/02-b.md': '---\n---\nB.\n',
    },
    [...write('02-both/x'), ...write('02-both/a/01-a'), ...write('02-both/a/02-b')],
    '02-both',
    ['a.txt', 'x.txt'],
  ],
  [
    'a fan-out',
    {
      '01-first/schema.json': '{"type":"object","required":["xs"]}',
      '02-each/FANOUT.md': '---\nitems: xs\nsubflow: one\nwidth: 2\nmax-items: 4\n---\n',
    },
    write('01-do'),
    '02-each',
    ['a.txt', 'b.txt'],
  ],
];

describe('[G-11] a container is carried as a whole', () => {
  it.each(CONTAINERS)('[G-11] %s, and once more by a run that was itself resumed', async (...[, tree, lines, entry, handedOn]) => {
    const first = { '01-first/STAGE.md': stage('First.', 'retries: 0\n') };
    const at = ground({ ...first, ...tree, ...GATE }, BESIDE);
    const script = [wrote('01-first', ITEMS), stops('01-first'), ...lines, ...write('09-end')];
    const donor = await at.run(script);
    expect(donor.cause).toBe('exhausted');
    let from = donor.name;
    for (let times = 0; times < 2; times += 1) {
      const resumed = await at.resume(script);
      expect(carriedOf(resumed)).toEqual({ carried: ['01-first', entry], why: 'it ended as exhausted' });
      if (!resumed.ok || resumed.outcome === null) throw new Error('not run');
      expect(resumed.plan.rows[1]?.outputs).toEqual(handedOn);
      const { folder, run } = resumed.outcome;
      const events = eventsOf(folder);
      expect(
        events.filter((one) => one.event === 'stage_carried' && one['entry'] === entry).map((one) => [one['name'], one['of'], one['from']]),
      ).toEqual(handedOn.map((name) => [name, handedOn.length, from]));
      const started = events.find(({ event }) => event === 'stage_start');
      expect(started?.['received']).toMatchObject(handedOn.map((name) => ({ name })));
      expect(await openRecord(folder).verify()).toMatchObject({ verified: true, differences: [] });
      from = run;
    }
  });

  it('[G-11] only when no option of any of its stages has changed, be it the first of them', async () => {
    const tree = {
      '02-round/LOOP.md': '---\nrepeat: 2\n---\n',
      '02-round/01-go.md': '---\n---\nGo.\n',
      '02-round/02-on.md': '---\ntimeout: 90\n---\nOn.\n',
    };
    const at = ground({ ...tree, ...GATE });
    const round = [...write('02-round/01-go'), ...write('02-round/02-on')];
    await at.run([...round, ...round, ...write('09-end')]);
    expect(carriedOf(await at.resume([], { planOnly: true })).carried).toEqual(['02-round']);
    writeFileSync(join(at.home, 'config.yaml'), 'timeout: 55\n');
    expect(carriedOf(await at.resume([], { planOnly: true }))).toEqual({
      carried: [],
      why: "02-round/01-go's timeout was 3600 (default) and is 55 (home)",
    });
  });

  it('[G-11] only when no option of a stage in a child run has changed', async () => {
    const tree = { '02-each/FANOUT.md': '---\nitems: xs\nsubflow: one\nwidth: 2\nmax-items: 4\n---\n' };
    const first = { '01-first/STAGE.md': stage('First.', 'timeout: 90\n'), '01-first/schema.json': '{"type":"object","required":["xs"]}' };
    const at = ground({ ...first, ...tree, ...GATE }, BESIDE);
    const script = [wrote('01-first', ITEMS), stops('01-first'), ...write('01-do'), ...write('09-end')];
    await at.run(script);
    expect(carriedOf(await at.resume(script, { planOnly: true })).carried).toEqual(['01-first', '02-each']);
    writeFileSync(join(at.home, 'config.yaml'), 'timeout: 55\n');
    expect(carriedOf(await at.resume(script, { planOnly: true }))).toEqual({
      carried: ['01-first'],
      why: "01-do's, of one, timeout was 3600 (default) and is 55 (home)",
    });
    expect(carriedOf(await at.resume(script, { planOnly: true, options: { timeout: '55' } })).carried).toEqual(['01-first', '02-each']);
  });

  it('[G-11] and not in part: one branch that failed runs all of them again', async () => {
    const tree = {
      '02-both/PARALLEL.md': '---\n---\n',
      '02-both/x.md': '---\n---\nX.\n',
      '02-both/y/STAGE.md': stage('Y.', 'retries: 0\n'),
      '02-both/y/gate.sh': sh('exit 1'),
    };
    const at = ground({ '01-first/STAGE.md': stage('First.'), ...tree, ...GATE });
    await at.run([...write('01-first'), ...write('02-both/x'), ...write('02-both/y')]);
    expect(carriedOf(await at.resume([], { planOnly: true }))).toEqual({ carried: ['01-first'], why: 'its branch y ended as exhausted' });
  });
});
