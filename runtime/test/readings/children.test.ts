import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plantChild, plantFamily } from '../../../packages/record/test/plant-children.js';
import { begin, planter } from '../../../packages/record/test/plant-run.js';
import { processes } from '../../src/io/processes.js';
import { lockText } from '../../src/record/marks.js';
import { atHome } from './at-home.js';
import { judged } from './judged.js';

const RUN = '2026-07-30T14-22-08-a3f9';
const many = Array.from({ length: 40 }, (_, index) => `j${String(index + 1).padStart(2, '0')}`);

let at: ReturnType<typeof atHome>;
beforeEach(() => {
  at = atHome();
});
afterEach(() => at.done());

const family = (items = ['j01', 'j02', 'j03'], failing: readonly string[] = ['j02']): string =>
  at.keep(RUN, (folder) => plantFamily(folder, { items, failing }));
/** A run that is not over: one child works, one has just been called. */
const unfinished = (): string =>
  at.keep(RUN, (folder) => {
    const plant = planter(folder);
    begin(plant);
    plant.event({ event: 'fanout_start', stage: '02-map', items: 2, subflow: 'job', width: 2 });
    plantChild({ outer: plant, caller: { plant, depth: 0 } }, { stage: '02-map', retry: 1, n: 1, item: 'j01' }, { reports: false });
  });
const lines = async (...words: string[]): Promise<string[]> => (await at.flow(words)).out.split('\n');
describe('show, with child runs', () => {
  it('[I-1 R-10 G-6 G-7] tells them below their caller, all depths, and what all of it used', async () => {
    family();
    const shown = await lines('show', RUN);
    const tree = shown.slice(1, shown.indexOf('')).map((line) => line.replace(/ {2,}(\d+ (stages?|rounds?)|job for) .*$/, ''));
    expect(tree).toEqual([
      ' ✓ 01-list',
      ' ✓   1 job',
      ' ✓     01-say',
      ' ✓       1 job',
      ' ✓         01-say',
      ' ◇ 02-map',
      ' ✓   j01',
      ' ✗   j02',
      ' ✓     01-say',
      ' ✓   j03',
    ]);
    const text = shown.join('\n');
    expect(text).toContain('job for each: 2 of 3 items succeeded, 2 at once   exhausted');
    expect(text).toMatch(/7\.8k in 1\.0k out · \$0\.02\d · with 5 child runs \(own: \? in \? out/);
    expect(text).toContain(`flow show ${RUN} 02-map/j02   that child run`);
  });

  it('[I-1] many that succeeded are one line, and all of them on demand', async () => {
    family(many, ['j07']);
    const shown = await lines('show', RUN);
    expect(shown.filter((line) => /j\d\d/.test(line) && line.startsWith(' '))).toHaveLength(3);
    expect(shown.join('\n')).toContain('… 39 succeeded (--all shows them)');
    expect((await lines('show', RUN, '--all')).filter((line) => / j\d\d {2}/.test(line))).toHaveLength(40);
  });

  it('[R-9] the run alone is enough: children that are not here are said to be that, and are no success', async () => {
    const folder = family();
    rmSync(join(folder, 'stages/02-map'), { recursive: true });
    const { code, out } = await at.flow(['show', RUN]);
    expect(code).toBe(0);
    expect(out).toContain('0 of 3 items succeeded');
    expect(out).toMatch(/\? {3}j01 .*incomplete: its record is not here; its caller recorded success/);
    expect(out).toContain('3 child runs have no whole record here');
  });

  it('[R-6 R-7] one without an end is running with its run, and incomplete after it', async () => {
    unfinished();
    expect((await at.flow(['show', RUN])).out).toMatch(/\? {3}j01 .*incomplete: its record has no end/);
    at.lock(RUN, lockText(processes.self()));
    expect((await at.flow(['show', RUN])).out).toMatch(/▸ {3}j01 .*running/);
    const child = `./home/runs/${RUN}/stages/02-map/1/1/subflows/1`;
    expect((await at.flow(['show', child])).out).toContain('running · ');
  });

  it('[I-2] as one document with all of them', async () => {
    family();
    const document = judged((await at.flow(['show', RUN, '--json'])).out);
    expect(document['children']).toMatchObject([
      { child: '01-list/1', parent: null, state: 'ended', view: { stages: [{ stage: '01-say' }] } },
      { child: '01-list/1/01-say/1', parent: 'stages/01-list/1/1/subflows/1', call: { depth: 2 } },
      ...['j01', 'j02', 'j03'].map((item) => ({ child: `02-map/${item}`, call: { item }, state: 'ended' })),
    ]);
    expect(document['usage_with_children']).toMatchObject({ turns: 5, input: 7750 });
    rmSync(join(at.home, 'runs', RUN, 'stages/02-map'), { recursive: true });
    expect(judged((await at.flow(['show', RUN, '--json'])).out)['children']).toMatchObject([
      {},
      {},
      { state: 'missing', view: null },
      {},
      {},
    ]);
  });
});

describe('a place inside a child run', () => {
  it.each([
    ['show', '02-map/j02', 'a child run of'],
    ['show', '02-map/j02/01-say', 'round 1   passed'],
    ['show', '02-map/2/say', 'round 1   passed'],
    ['show', '01-list/1/01-say/1/01-say', 'round 1   passed'],
    ['session', '02-map/j01/01-say', '# Instructions'],
    ['output', '02-map/j01', 'said 1\n'],
    ['output', '02-map/j03/01-say', 'said 3\n'],
    ['request', '02-map/j03', '{"n":3}'],
    ['checks', '02-map/j03', '02-map/j03 › 01-say'],
  ])('[I-1 R-9] flow %s RUN %s', async (command, place, expected) => {
    family();
    const { code, out, err } = await at.flow([command, RUN, place]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(expected);
  });

  it('[I-1] is refused with what there is', async () => {
    family();
    expect(await at.flow(['session', RUN, '02-map/j01'])).toMatchObject({
      code: 1,
      err: '02-map/j01 is a child run, not a stage. Name one of its stages: 02-map/j01/01-say.\n',
    });
    expect(await at.flow(['output', RUN, '02-map'])).toMatchObject({ code: 1, err: expect.stringContaining('02-map is a FANOUT') });
    expect(await at.flow(['show', RUN, '02-map/j09'])).toMatchObject({ code: 1, err: expect.stringContaining('no stage "02-map/j09"') });
  });

  it('[R-9] is also its folder', async () => {
    family();
    const child = `./home/runs/${RUN}/stages/02-map/1/1/subflows/1`;
    expect((await at.flow(['session', child, 'say'])).code).toBe(0);
    expect((await at.flow(['output', child])).out).toBe('said 1\n');
  });
});

describe('events, with child runs', () => {
  it('[I-1] a child stands where it began, and every line says whose it is', async () => {
    family(['j01'], []);
    const places = (await lines('events', RUN)).map((line) => line.split('  ').slice(1, 3).join('  '));
    expect(places.slice(places.indexOf('02-map round 1  subflow_start'))).toEqual([
      '02-map round 1  subflow_start',
      '02-map/j01  run_start',
      ...['stage_start', 'prompt'].map((event) => `02-map/j01 › 01-say  ${event}`),
      ...['turn', 'check'].map((event) => `02-map/j01 › 01-say round 1  ${event}`),
      '02-map/j01 › 01-say  stage_end',
      '02-map/j01  run_end',
      '02-map round 1  subflow_call',
      '02-map  fanout_done',
      'run_end  exit=0',
      '',
    ]);
  });

  it('[I-2 R-2] as JSON lines: the exact bytes of every record can be had back', async () => {
    const folder = family(['j01'], []);
    const record = (place: string): string => readFileSync(join(folder, place, 'record.jsonl'), 'utf8');
    const all = (await at.flow(['events', RUN, '--jsonl'])).out.trimEnd().split('\n');
    const of = (place: string): string =>
      all.flatMap((line) => (line.startsWith(`{"place":"${place}",`) ? [`{${line.slice(`{"place":"${place}",`.length)}\n`] : [])).join('');
    expect(
      all
        .filter((line) => !line.startsWith('{"place"'))
        .map((line) => `${line}\n`)
        .join(''),
    ).toBe(record('.'));
    expect(of('stages/02-map/1/1/subflows/1')).toBe(record('stages/02-map/1/1/subflows/1'));
    const deep = 'stages/01-list/1/1/subflows/1/stages/01-say/1/1/subflows/1';
    expect(of(deep)).toBe(record(deep));
    expect((await at.flow(['events', RUN, '--jsonl', '--own'])).out).toBe(record('.'));
  });

  it('[I-1] a child that is not here is named', async () => {
    rmSync(join(family(), 'stages/02-map/1/1/subflows/3'), { recursive: true });
    expect(await at.flow(['events', RUN])).toMatchObject({
      code: 0,
      err: 'The child run stages/02-map/1/1/subflows/3 has no record here: what happened in it is not told.\n',
    });
  });
});

describe('verify, of a child run', () => {
  it('[R-8] says what it is a part of', async () => {
    const folder = family();
    const child = `./home/runs/${RUN}/stages/02-map/1/1/subflows/1`;
    const { code, out } = await at.flow(['verify', child]);
    expect(code).toBe(0);
    expect(out).toContain(
      `It is a part of the run ${RUN}: its seals and the assembly's copy are that run's, and are proved by flow verify ${folder}.`,
    );
    expect(judged((await at.flow(['verify', child, '--json'])).out)).toMatchObject({ part_of: RUN, verified: true });
    cpSync(join(folder, 'stages/02-map/1/1/subflows/1'), join(at.root, 'alone'), { recursive: true });
    expect((await at.flow(['verify', './alone'])).out).toContain('with that run alone');
  });
});
