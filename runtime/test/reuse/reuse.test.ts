import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyRun } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecord } from '../../src/library/open-record.js';
import { worldOf } from '../../src/library/run.js';
import { callReplay } from '../../src/run/replay/call.js';
import { callResume } from '../../src/run/resume/call.js';
import { calls, type Line, sh, stage, stops, wrote } from '../run/ground.js';
import { clearYards, type Went, type Yard, yard } from './yard.js';

afterAll(clearYards);

const TWO = { '01-word.md': stage(), '02-more/STAGE.md': stage('More.'), '02-more/gate.sh': sh('grep -q more "$1"') };
const words = [wrote('01-word', 'a word'), stops('01-word'), wrote('02-more', 'more words'), stops('02-more')];

async function twice(place: Yard): Promise<[Went, Went]> {
  return [await place.go(), await place.go()];
}

describe('work of an earlier run', () => {
  it('[G-12] stands in for the agent, is judged again, sealed and recorded, and costs no turn', async () => {
    const [first, second] = await twice(yard(TWO, words));
    expect(first.reused()).toEqual([]);
    expect(first.turns()).toBe(4);
    expect(second.outcome.ending.cause).toBe('success');
    expect(second.reused()).toEqual(['01-word', '02-more']);
    expect(second.turns()).toBe(0);
    expect(second.told('prompt')).toEqual([]);
    expect(second.told('stage_reused').map(({ from }) => from)).toEqual([first.outcome.run, first.outcome.run]);
    expect(readFileSync(second.outcome.output?.file ?? '', 'utf8')).toBe('more words');
    expect(second.told('check').map(({ stage: of, retry, check, exit }) => [of, retry, check, exit])).toEqual([
      ['01-word', 0, 'output', 0],
      ['02-more', 0, 'output', 0],
      ['02-more', 0, 'gate', 0],
    ]);
    expect(second.told('stage_end')).toMatchObject([
      { sealed: true, attempts: 0, judged: false, output: { path: 'stages/01-word/1/0/output.txt' } },
      { sealed: true, attempts: 0, judged: true },
    ]);
    expect(second.told('stage_start')[1]?.received).toMatchObject([{ name: 'word.txt', path: 'stages/01-word/1/0/output.txt' }]);
  });

  it('[G-12 R-5 R-8] leaves a record that proves itself and reads as what it was', async () => {
    const [first, second] = await twice(yard(TWO, words));
    expect((await verifyRun(second.outcome.folder)).differences).toEqual([]);
    const { view } = await openRecord(second.outcome.folder).read();
    expect(view?.stages.map(({ state, from, ending, usage }) => [state, from, ending?.cause, ending?.sealed, usage.turns])).toEqual([
      ['reused', first.outcome.run, 'success', true, 0],
      ['reused', first.outcome.run, 'success', true, 0],
    ]);
    const order = second.facts.filter((fact) => fact.stage === '02-more').map(({ event }) => event);
    expect(order).toEqual(['stage_start', 'check', 'gate_start', 'check', 'stage_reused', 'stage_end']);
  });

  it('[G-12] comes with its marks, and success runs as ever', async () => {
    const place = yard(
      {
        '01-word/STAGE.md': '---\n---\nWrite.\n\n# Checklist\n\n- first\n- second\n',
        '01-word/success.sh': sh('echo again'),
        '01-word/before.sh': sh('echo more > "$INPUT/more.txt"'),
      },
      [
        {
          stage: '01-word',
          calls: [
            { tool: 'write', input: { path: '$OUTPUT', content: 'x' } },
            { tool: 'mark', input: { item: 1, state: 'done', evidence: 'seen' } },
            { tool: 'mark', input: { item: 2, state: 'skipped', evidence: 'none', reason: 'no need' } },
          ],
        },
        stops('01-word'),
      ],
    );
    const [first, second] = await twice(place);
    expect(first.outcome.ending).toMatchObject({ cause: 'success' });
    expect(second.reused()).toEqual(['01-word']);
    expect(second.told('check').map(({ check, exit }) => [check, exit])).toEqual([
      ['output', 0],
      ['checklist', 0],
    ]);
    expect(second.told('hook').map(({ hook }) => hook)).toEqual(['before', 'success']);
  });

  it('[G-12] is never taken, noted or looked for without --reuse', async () => {
    const place = yard(TWO, words);
    await place.go({ wishes: {} });
    expect(place.notes()).toEqual([]);
    await place.go();
    expect(place.notes()).toHaveLength(2);
    const third = await place.go({ wishes: {} });
    expect([third.reused(), third.turns()]).toEqual([[], 4]);
  });

  it('[G-12] behind what changed, the same input is the same work again', async () => {
    const place = yard(TWO, words);
    await place.go();
    place.plant({ 'a/flows/main/01-word.md': stage('Write a good word.') });
    expect((await place.go()).reused()).toEqual(['02-more']);
  });

  it('[G-12] is that of the first run that did it, as long as that is there', async () => {
    const place = yard(TWO, words);
    const [first] = await twice(place);
    const third = await place.go();
    expect(third.told('stage_reused').map(({ from }) => from)).toEqual([first.outcome.run, first.outcome.run]);
    expect((await place.go({ in: place.root })).reused()).toEqual([]);
  });

  it('[G-12] of a run that failed later counts as well', async () => {
    const place = yard({ ...TWO, '02-more/gate.sh': sh('test -e /nowhere') }, [...words, stops('02-more'), stops('02-more')]);
    const [first, second] = await twice(place);
    expect(first.outcome.ending.cause).toBe('exhausted');
    expect(second.reused()).toEqual(['01-word']);
    expect(second.told('stage_end')[1]).toMatchObject({ cause: 'exhausted', attempts: 3 });
  });
});

describe('a donor that is not what it was', () => {
  const sealed = (went: Went): string => join(went.outcome.folder, 'stages/01-word/1/1/output.txt');
  const record = (went: Went): string => join(went.outcome.folder, 'record.jsonl');
  const damages: readonly (readonly [string, (first: Went, place: Yard) => void])[] = [
    ['its folder is gone', ({ outcome }) => rmSync(outcome.folder, { recursive: true })],
    ['its output is gone', (first) => rmSync(sealed(first))],
    ['its output is another', (first) => writeFileSync(sealed(first), 'a sword')],
    ['its record is gone', (first) => rmSync(record(first))],
    [
      'its record says something else',
      (first) => writeFileSync(record(first), readFileSync(record(first), 'utf8').replaceAll('"attempts":1', '"attempts":2')),
    ],
    ['its record is no record', (first) => writeFileSync(record(first), 'nothing\n')],
    [
      'the note is damaged',
      (_first, { home }) => writeFileSync(join(home, 'reuse', readdirSync(join(home, 'reuse'))[0] ?? ''), '{"run":"../../x"}'),
    ],
    ['the note names another output', (_first, { home }) => alterNote(home, { sha256: '0'.repeat(64) })],
    ['the note names a folder outside', (_first, { home }) => alterNote(home, { child: '../../..' })],
    ['the note names another stage', (_first, { home }) => alterNote(home, { stage: '09-none' })],
  ];
  it.each(damages)('[G-12] is not taken when %s, and its note goes', async (_name, damage) => {
    const place = yard({ '01-word.md': stage() }, words.slice(0, 2));
    const first = await place.go();
    damage(first, place);
    const second = await place.go();
    expect([second.outcome.ending.cause, second.reused(), second.turns()]).toEqual(['success', [], 2]);
    expect(readFileSync(second.outcome.output?.file ?? '', 'utf8')).toBe('a word');
    const third = await place.go();
    expect(third.told('stage_reused').map(({ from }) => from)).toEqual([second.outcome.run]);
  });
});

function alterNote(home: string, change: object): void {
  const [name = ''] = readdirSync(join(home, 'reuse'));
  const file = join(home, 'reuse', name);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
}

describe('earlier work that today’s checks refuse', () => {
  /** Its gate depends on something that no shape says. */
  const judged = {
    '01-word/STAGE.md': stage('Write.\n\n# Checklist\n\n- first', 'retries: 1\n'),
    '01-word/gate.sh': sh('echo said; test "$WANTED" != new || test -e "$TMP/by-agent"'),
  };
  const marks = calls('01-word', 'mark', { item: 1, state: 'done', evidence: 'e' });
  const works: Line[] = [
    calls('01-word', 'bash', { command: 'test ! -e $OUTPUT && echo word > $OUTPUT; touch $TMP/by-agent' }),
    marks,
    stops('01-word'),
  ];

  it('[G-12 K-2] is dropped, and what the agent makes then is what a later run takes over', async () => {
    const place = yard(judged, works);
    await place.go({}, { WANTED: 'old' });
    const second = await place.go({}, { WANTED: 'new' });
    expect([second.outcome.ending.cause, second.reused()]).toEqual(['success', []]);
    expect(second.told('check').map(({ retry, check, exit }) => [retry, check, exit])).toEqual([
      ...[
        [0, 'output', 0],
        [0, 'checklist', 0],
        [0, 'gate', 1],
      ],
      ...[
        [1, 'output', 0],
        [1, 'checklist', 0],
        [1, 'gate', 0],
      ],
    ]);
    expect(second.told('stage_end')).toMatchObject([{ attempts: 1, output: { path: 'stages/01-word/1/1/output.txt' } }]);
    expect(second.read('stages/01-word/1/0/output.txt')).toBe('word\n');
    expect((await verifyRun(second.outcome.folder)).differences).toEqual([]);
    const third = await place.go({}, { WANTED: 'old' });
    expect(third.told('stage_reused').map(({ from }) => from)).toEqual([second.outcome.run]);
  });

  it('[G-12 K-2] leaves the agent nothing: no output, no mark, no word, and every attempt', async () => {
    const place = yard(judged, works);
    await place.go({}, { WANTED: 'old' });
    const second = await place.go({}, { WANTED: 'new' });
    const session = second.read('stages/01-word/1/session.jsonl');
    expect(session).not.toContain('said');
    expect(second.told('tool_call').map(({ retry, decision }) => [retry, decision])).toEqual([[1, 'done']]);
    const { view } = await openRecord(second.outcome.folder).read();
    expect(view?.stages[0]).toMatchObject({
      state: 'ended',
      flags: [],
      rounds: [
        { round: 0, verdict: 'failed' },
        { round: 1, verdict: 'passed' },
      ],
    });
  });

  it('[G-12 K-12] a success that refuses it ends the stage, and the run after that does the work again', async () => {
    const place = yard({ '01-word/STAGE.md': stage(), '01-word/success.sh': sh('test "$WANTED" = old') }, words.slice(0, 2));
    await place.go({}, { WANTED: 'old' });
    const second = await place.go({}, { WANTED: 'new' });
    expect(second.outcome.ending).toMatchObject({ cause: 'rejected', failed: 'success' });
    expect([second.reused(), second.turns(), place.notes()]).toEqual([[], 0, []]);
    expect((await verifyRun(second.outcome.folder)).differences).toEqual([]);
    const third = await place.go({}, { WANTED: 'old' });
    expect([third.outcome.ending.cause, third.turns()]).toEqual(['success', 2]);
  });

  it('[G-12 K-8] a gate that is blocked ends the stage as ever', async () => {
    const place = yard(
      { '01-word/STAGE.md': stage(), '01-word/gate.sh': sh('test "$WANTED" = old || { echo wait; exit 75; }') },
      words.slice(0, 2),
    );
    await place.go({}, { WANTED: 'old' });
    const second = await place.go({}, { WANTED: 'new' });
    expect(second.outcome.ending).toMatchObject({ cause: 'blocked', exit: 1 });
    expect([second.reused(), second.turns()]).toEqual([[], 0]);
  });
});

describe('a stage that changes the working tree', () => {
  const writes = (path: string): Line[] => [
    calls('01-word', 'bash', { command: `echo x > ${path}; echo done > $OUTPUT` }),
    stops('01-word'),
  ];

  it('[G-12] is never reused', async () => {
    const [, second] = await twice(yard({ '01-word.md': stage() }, writes('made.txt')));
    expect(second.reused()).toEqual([]);
  });

  it('[G-12] to what it was is reused: it left it unchanged', async () => {
    const [, second] = await twice(yard({ '01-word.md': stage() }, writes('made.txt; rm made.txt')));
    expect(second.reused()).toEqual(['01-word']);
  });

  it('[G-12] in its before, its gate or its success counts as the stage', async () => {
    for (const name of ['before.sh', 'gate.sh', 'success.sh']) {
      const place = yard({ '01-word/STAGE.md': stage(), [`01-word/${name}`]: sh('date +%N >> log.txt') }, words.slice(0, 2));
      const [, second] = await twice(place);
      expect([name, second.outcome.ending.cause, second.reused()]).toEqual([name, 'success', []]);
    }
  });

  it('[G-12 A-16] may change as it likes where the agent can reach none of it', async () => {
    const place = yard({ '01-word.md': stage('Write.', 'access: {read: [INPUT], write: [OUTPUT]}\n') }, words.slice(0, 2));
    await place.go();
    place.plant({ 'work/new.txt': 'new' });
    expect((await place.go()).reused()).toEqual(['01-word']);
  });

  it('[G-12 A-16] must be the same where the agent may only read it', async () => {
    const place = yard({ '01-word.md': stage('Write.', 'access: {read: [INPUT, PWD], write: [OUTPUT]}\n') }, words.slice(0, 2));
    const [, second] = await twice(place);
    expect(second.reused()).toEqual(['01-word']);
    place.plant({ 'work/new.txt': 'new' });
    expect((await place.go()).reused()).toEqual([]);
  });

  it('[G-12] does not count what the run itself writes, in a home inside it', async () => {
    const place = yard({ '01-word.md': stage() }, words.slice(0, 2));
    const home = join(place.root, 'work', 'home');
    await place.go({ home });
    expect((await place.go({ home })).reused()).toEqual(['01-word']);
  });
});

describe('where nothing is reused', () => {
  const word = (name: string): Line[] => [wrote(name, 'x'), stops(name)];
  it('[G-12 G-3] not the stage that is asked whether to go on; the others of a loop, each repeat on its own', async () => {
    const place = yard(
      {
        '01-loop/LOOP.md': '---\nrepeat: 2\n---\nMore?\n',
        '01-loop/01-a.md': stage('A.'),
        '01-loop/02-b.md': stage('B.'),
        '02-end.md': stage('E.'),
      },
      [
        ...[1, 2].flatMap((repeat) => [
          ...[wrote('01-loop/01-a', `a${repeat}`, { repeat }), stops('01-loop/01-a', { repeat })],
          ...[wrote('01-loop/02-b', `b${repeat}`, { repeat }), stops('01-loop/02-b', { repeat })],
          calls('01-loop/02-b', 'continue', { answer: repeat === 1 ? 'continue' : 'stop', reason: 'so' }, { repeat }),
        ]),
        ...word('02-end'),
      ],
    );
    const [first, second] = await twice(place);
    expect(first.outcome.ending).toMatchObject({ cause: 'success' });
    expect(second.reused()).toEqual(['01-loop/01-a@1', '01-loop/01-a@2', '02-end']);
    expect(second.outcome.ending.cause).toBe('success');
  });

  it('[G-12 G-4] not a selection; the alternative it leads to', async () => {
    const place = yard(
      {
        '01-way/CHOOSE.md': '---\n---\n- `left`\n- `right`\n',
        '01-way/left.md': stage('L.'),
        '01-way/right.md': stage('R.'),
        '02-end.md': stage('E.'),
      },
      [calls('01-way', 'select', { name: 'left', reason: 'so' }), ...word('01-way/left'), ...word('02-end')],
    );
    const [, second] = await twice(place);
    expect([second.outcome.ending.cause, second.reused()]).toEqual(['success', ['01-way/left', '02-end']]);
    expect(second.told('chose')).toHaveLength(1);
  });

  it('[G-12 S-5] not where the stages share one $TMP', async () => {
    const [, second] = await twice(yard({ '01-word.md': stage() }, words.slice(0, 2), 'tmp: flow\n'));
    expect(second.reused()).toEqual([]);
  });

  it('[G-12 G-7] not the stage whose agent called helpers; the stages of what it called', async () => {
    const place = yard(
      {
        '01-word/STAGE.md': stage(),
        '01-word/subflows/ask/FLOW.md': '---\ndescription: Ask\n---\n',
        '01-word/subflows/ask/01-say.md': stage('Say.'),
      },
      [calls('01-word', 'subflow', { calls: [{ flow: 'ask', input: 'what?' }] }), ...word('01-word'), ...word('01-say')],
    );
    const [first, second] = await twice(place);
    expect(first.outcome.ending).toMatchObject({ cause: 'success' });
    expect(second.told('stage_reused')).toMatchObject([{ stage: '01-say', from: first.outcome.run }]);
    expect((await verifyRun(second.outcome.folder)).differences).toEqual([]);
    const third = await place.go();
    expect(third.told('stage_reused')).toMatchObject([{ stage: '01-say', from: first.outcome.run }]);
  });

  it('[G-12 G-6] each item of a fan-out on its own', async () => {
    const items = (...inputs: string[]): string => JSON.stringify({ items: inputs.map((x, n) => ({ id: `i${n}`, input: { x } })) });
    const lines = (text: string): Line[] => [wrote('01-list', text), stops('01-list'), ...word('01-say'), ...word('03-end')];
    const place = yard(
      {
        '01-list/STAGE.md': stage(),
        '01-list/schema.json': '{"type": "object"}',
        '02-map/FANOUT.md': '---\nitems: items\nsubflow: ask\nwidth: 2\nmax-items: 5\n---\n',
        '03-end.md': stage('End.'),
        'subflows/ask/FLOW.md': '---\ndescription: Ask\n---\n',
        'subflows/ask/01-say.md': stage('Say.', 'access: {read: [INPUT], write: [OUTPUT]}\n'),
      },
      lines(items('a', 'b')),
    );
    const [first, second] = await twice(place);
    expect(first.outcome.ending).toMatchObject({ cause: 'success' });
    expect(second.reused().sort()).toEqual(['01-list', '01-say', '01-say', '03-end']);
    expect((await verifyRun(second.outcome.folder)).differences).toEqual([]);
  });

  it('[G-12 G-7] the stage whose agent could have called helpers and did not', async () => {
    const place = yard(
      { '01-word.md': stage(), 'subflows/ask/FLOW.md': '---\ndescription: Ask\n---\n', 'subflows/ask/01-say.md': stage('Say.') },
      words.slice(0, 2),
    );
    const [, second] = await twice(place);
    expect(second.reused()).toEqual(['01-word']);
  });

  it('[G-12] not within one run: the same helper asked twice works twice', async () => {
    const place = yard(
      {
        '01-word/STAGE.md': stage(),
        '01-word/subflows/ask/FLOW.md': '---\ndescription: Ask\n---\n',
        '01-word/subflows/ask/01-say.md': stage('Say.'),
      },
      [
        calls('01-word', 'subflow', { calls: [{ flow: 'ask', input: 'what?' }] }),
        calls('01-word', 'subflow', { calls: [{ flow: 'ask', input: 'what?' }] }),
        ...word('01-word'),
        ...word('01-say'),
      ],
    );
    const [first, second] = await twice(place);
    expect(first.told('stage_reused')).toEqual([]);
    expect(second.told('stage_reused')).toHaveLength(2);
  });
});

describe('a run that reused', () => {
  it('[G-12 G-11] can be resumed: what it took over is carried on', async () => {
    const place = yard({ ...TWO, '02-more/gate.sh': sh('test -e "$PASS"') }, [...words, stops('02-more'), stops('02-more')]);
    const [, second] = await twice(place);
    expect(second.reused()).toEqual(['01-word']);
    const resumed = await callResume(
      {
        run: second.outcome.run,
        words: { slots: [], optionNames: [], options: {}, home: place.home },
        models: { kind: 'scripted', file: join(place.root, 'script.jsonl') },
        wishes: { reuse: true },
        planOnly: false,
      },
      worldOf(surroundings(place)),
    );
    if (!resumed.ok) throw new Error(JSON.stringify(resumed));
    expect(resumed.plan.rows.map(({ step, carried }) => [step, carried])).toEqual([
      ['01-word', true],
      ['02-more', false],
    ]);
    expect(resumed.called?.outcome.ending.cause).toBe('success');
    expect((await verifyRun(resumed.called?.outcome.folder ?? '')).differences).toEqual([]);
  });

  it('[G-12 M-7] can be replayed: the replay names the run whose work it was', async () => {
    const place = yard(TWO, words);
    const [first, second] = await twice(place);
    const replayed = await callReplay(
      { run: second.outcome.run, words: { slots: [], optionNames: [], options: {}, home: place.home } },
      worldOf(surroundings(place)),
    );
    const refused = 'refusals' in replayed ? replayed.refusals.map(({ message }) => message).join() : '';
    const rows = replayed.ok ? replayed.rows.map(({ why = '' }) => why) : [refused];
    expect(rows.join()).toContain(first.outcome.run);
  });
});

function surroundings({ root }: Yard) {
  return {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: root, XDG_CACHE_HOME: join(root, 'cache'), PASS: root },
    signal: new AbortController().signal,
  };
}

describe('a home that takes no notes', () => {
  it('[G-12] fails no stage', async () => {
    const place = yard(TWO, words);
    place.plant({ 'home/reuse': 'in the way' });
    const [first, second] = await twice(place);
    expect([first.outcome.ending.cause, second.outcome.ending.cause, second.turns()]).toEqual(['success', 'success', 4]);
  });
});

describe('runs at the same time', () => {
  it('[G-12] write the same notes, and each note is whole', async () => {
    const place = yard(TWO, words);
    const runs = await Promise.all([place.go(), place.go(), place.go()]);
    expect(runs.map(({ outcome }) => outcome.ending.cause)).toEqual(['success', 'success', 'success']);
    expect(place.notes()).toHaveLength(2);
    const after = await place.go();
    expect(after.reused()).toEqual(['01-word', '02-more']);
    expect(runs.map(({ outcome }) => outcome.run)).toContain(after.told('stage_reused')[0]?.from);
  });

  it('[G-12] with nothing to reuse it is a run like any other', async () => {
    const place = yard(TWO, words);
    const went = await place.go();
    expect([went.outcome.ending.cause, went.reused(), went.turns()]).toEqual(['success', [], 4]);
    expect((await verifyRun(went.outcome.folder)).differences).toEqual([]);
    expect(existsSync(join(place.home, 'reuse'))).toBe(true);
  });
});
