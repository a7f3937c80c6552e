import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { processes } from '../../src/io/processes.js';
import { lockText } from '../../src/record/marks.js';
import { carriedOf, clear, damageOf, eventsOf, forge, ground, NAMES, refusalOf, stateOf, work } from './ground.js';

afterAll(clear);

async function failed() {
  const at = ground();
  const donor = await at.run(work('03-draft'));
  return { at, donor, again: () => at.resume(work(), { planOnly: true }) };
}

const CARRIED = { carried: ['01-read', '02-sort'], why: 'it ended as exhausted' };

describe('[G-11] a donor that died', () => {
  it('[G-11] without an end, seals or a whole last line is taken as it is', async () => {
    const { donor, again } = await failed();
    const lines = eventsOf(donor.folder).length;
    forge(donor.folder, (events) => events.slice(0, lines - 3));
    appendFileSync(join(donor.folder, 'record.jsonl'), '{"ts":"2026-');
    const before = stateOf(donor.folder);
    expect(carriedOf(await again())).toEqual({ carried: ['01-read', '02-sort'], why: 'it had not ended' });
    expect(stateOf(donor.folder)).toBe(before);
  });

  it('[G-11] at every line of its record: carries what had ended by then, and never more', async () => {
    const { donor, again } = await failed();
    const all = eventsOf(donor.folder);
    const events = all.filter(({ event }) => event !== 'run_end');
    for (let lines = events.length; lines >= 1; lines -= 4) {
      forge(donor.folder, (whole) => whole.slice(0, lines));
      const ended = events.slice(0, lines).filter(({ event, cause }) => event === 'stage_end' && cause === 'success');
      expect(carriedOf(await again()).carried, `${lines} lines`).toEqual(ended.map(({ stage }) => stage));
    }
  });

  it('[G-11] in its last instant, with everything sealed but the sum of its record', async () => {
    const { donor, again } = await failed();
    rmSync(join(donor.folder, 'record.sha256'));
    expect(carriedOf(await again())).toEqual(CARRIED);
  });

  it('[G-11] before its first stage: all of it runs, and not even its copy of the assembly is needed whole', async () => {
    const { donor, again } = await failed();
    forge(donor.folder, ([start]) => (start ? [start] : []));
    rmSync(join(donor.folder, 'assembly/flows/main/05-send'), { recursive: true });
    rmSync(join(donor.folder, 'stages'), { recursive: true });
    expect(carriedOf(await again()).carried).toEqual([]);
    rmSync(join(donor.folder, 'request.txt'));
    expect(refusalOf(await again())).toContain('died before it had kept its request');
  });
});

describe('[G-11] a donor that is refused', () => {
  it('[G-11] because it lives', async () => {
    const { at, donor, again } = await failed();
    writeFileSync(`${donor.folder}.lock`, lockText(processes.self()));
    expect(refusalOf(await again())).toContain(`The run ${donor.name} is still going on.`);
    rmSync(`${donor.folder}.lock`);
    expect(at.runs()).toHaveLength(1);
  });

  it('[G-11] because it succeeded', async () => {
    const at = ground();
    await at.run(work());
    expect(refusalOf(await at.resume(work()))).toContain('succeeded: nothing of it is left to run');
  });

  it('[G-11] because there is none, it is empty, or it is a folder without a record', async () => {
    const { at, donor } = await failed();
    expect(refusalOf(await at.resume([], { run: '2031' }))).toContain('There is no run "2031"');
    mkdirSync(join(at.home, 'runs/2031-01-01T00-00-00-0000'));
    expect(refusalOf(await at.resume([], { run: '2031-01-01T00-00-00-0000' }))).toContain('has no record');
    writeFileSync(join(donor.folder, 'record.jsonl'), '');
    expect(refusalOf(await at.resume([], { run: donor.name }))).toContain('ended before the first line');
  });
});

describe('[G-11] a donor that was altered', () => {
  const FILES = [
    'record.jsonl',
    'request.txt',
    'manifest.sha256',
    'record.sha256',
    'assembly/ASSEMBLY.md',
    'assembly/flows/main/01-read/gate.sh',
    'stages/01-read/1/1/output.txt',
    'stages/01-read/1/1/checks/gate.txt',
    'stages/01-read/1/system.txt',
    'stages/01-read/1/session.jsonl',
    'stages/03-draft/1/1/output.txt',
  ];
  it.each(FILES)('[G-11 R-8] a bit of %s', async (path) => {
    const { at, donor, again } = await failed();
    const file = join(donor.folder, path);
    const bytes = readFileSync(file);
    if (bytes.length === 0) writeFileSync(file, 'x');
    else {
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    }
    expect(damageOf(await again()).length).toBeGreaterThan(0);
    expect(at.runs()).toHaveLength(1);
  });

  it.each([
    ['cut short', (folder: string) => truncateSync(join(folder, 'record.jsonl'), 900)],
    ['with a file more', (folder: string) => writeFileSync(join(folder, 'stages/01-read/1/1/more.txt'), 'x')],
    ['with a file less', (folder: string) => rmSync(join(folder, 'stages/02-sort/1/1/output.txt'))],
    ['without its request', (folder: string) => rmSync(join(folder, 'request.txt'))],
    ['with an executable bit more', (folder: string) => chmodSync(join(folder, 'assembly/ASSEMBLY.md'), 0o700)],
    [
      'with an event after its end',
      (folder: string) =>
        appendFileSync(join(folder, 'record.jsonl'), readFileSync(join(folder, 'record.jsonl'), 'utf8').split('\n')[1] + '\n'),
    ],
  ] as const)('[G-11 R-8] %s', async (_, alter) => {
    const { donor, again } = await failed();
    alter(donor.folder);
    expect(damageOf(await again()).length).toBeGreaterThan(0);
  });

  it('[G-11] whose output is a link to the very same bytes elsewhere', async () => {
    const { at, donor, again } = await failed();
    const output = join(donor.folder, 'stages/02-sort/1/1/output.txt');
    writeFileSync(join(at.root, 'outside.txt'), readFileSync(output));
    rmSync(output);
    symlinkSync(join(at.root, 'outside.txt'), output);
    expect(damageOf(await again())).toContain('stages/02-sort/1/1/output.txt');
  });

  it('[G-11] one of whose folders is a link that leads outside', async () => {
    const { at, donor, again } = await failed();
    forge(donor.folder, (events) => events);
    const folder = join(donor.folder, 'stages/02-sort/1');
    mkdirSync(join(at.root, 'elsewhere/1'), { recursive: true });
    writeFileSync(join(at.root, 'elsewhere/1/output.txt'), 'good 02-sort\n');
    rmSync(folder, { recursive: true });
    symlinkSync(join(at.root, 'elsewhere'), folder);
    expect(damageOf(await again())).toContain('stages/02-sort/1');
  });
});

describe('[G-11] a donor that lies in a chain that holds', () => {
  type Events = ReturnType<typeof eventsOf>;
  const end = (events: Events, stage: string) => events.map((one) => ({ one, hit: one.event === 'stage_end' && one.stage === stage }));
  const LIES: readonly (readonly [string, (events: Events) => Events])[] = [
    [
      'an output of another hash',
      (events) =>
        end(events, '02-sort').map(({ one, hit }) =>
          hit ? { ...one, output: { path: 'stages/02-sort/1/1/output.txt', sha256: 'a'.repeat(64), bytes: 4 } } : one,
        ),
    ],
    [
      'sealed without a file',
      (events) =>
        end(events, '02-sort').map(({ one, hit }) =>
          hit ? { ...one, output: { path: 'stages/02-sort/1/1/gone.txt', sha256: 'a'.repeat(64), bytes: 4 } } : one,
        ),
    ],
    ['sealed without saying what', (events) => end(events, '02-sort').map(({ one, hit }) => (hit ? { ...one, output: undefined } : one))],
    [
      'a success of the stage that failed',
      (events) =>
        end(events, '03-draft').map(({ one, hit }) => (hit ? { ...one, cause: 'success', exit: 0, sealed: true, failed: undefined } : one)),
    ],
    [
      "another stage's output as its own",
      (events) => {
        const other = events.find((one) => one.event === 'stage_end' && one.stage === '01-read')?.['output'];
        return end(events, '02-sort').map(({ one, hit }) => (hit ? { ...one, output: other } : one));
      },
    ],
    ['a stage twice', (events) => events.flatMap((one) => (one.event === 'stage_end' && one.stage === '01-read' ? [one, one] : [one]))],
    [
      'a gate that never ran',
      (events) => events.filter((one) => !(one.stage === '02-sort' && one.event === 'check' && one['check'] === 'gate')),
    ],
    [
      'a path outside of the run',
      (events) =>
        end(events, '02-sort').map(({ one, hit }) =>
          hit ? { ...one, output: { path: '../../../outside.txt', sha256: 'a'.repeat(64), bytes: 4 } } : one,
        ),
    ],
    ['a flow that its copy has not', (events) => events.map((one) => (one.event === 'run_start' ? { ...one, flow: 'other' } : one))],
  ];
  it.each(LIES)('[G-11] %s', async (_, lie) => {
    const { at, donor, again } = await failed();
    forge(donor.folder, lie);
    expect(damageOf(await again()).length).toBeGreaterThan(0);
    expect(at.runs()).toHaveLength(1);
  });

  it('[G-11] about what it carried itself: it is a part, and runs', async () => {
    const at = ground();
    await at.run(work('02-sort'));
    const second = await at.resume(work('03-draft'));
    if (!second.ok || !second.outcome) throw new Error('no second run');
    forge(second.outcome.folder, (events) => events.map((one) => (one.event === 'stage_carried' ? { ...one, of: 2 } : one)));
    expect(carriedOf(await at.resume(work(), { planOnly: true })).carried).toEqual([]);
    expect(NAMES).toHaveLength(5);
  });
});
