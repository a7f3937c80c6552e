/** A signal in the middle of many branches, at the built command. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRecordReader, type RecordEvent } from '@gated-flow/record';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processesMarked, readProcess } from '../../src/io/process-table.js';
import { type Bundle, bundle, type Ended, flow } from '../cli/bundle.js';
import { plant, stage, type Tree } from '../run/ground.js';

const BRANCHES = 32;
/** Long after what it takes: nothing here is a measurement. */
const LONGEST_MS = 300_000;
const names = Array.from({ length: BRANCHES }, (_, index) => `b${index + 1}`);

let built: Bundle;
beforeAll(async () => {
  built = await bundle();
}, LONGEST_MS);
afterAll(() => built.remove());

/** Each branch's command has a child that does not heed SIGTERM, and one that left its process group. */
const COMMAND =
  'sh -c \'trap "" TERM; echo $$ >> "$PWD/up"; while :; do sleep 1; done\' & setsid sh -c \'echo $$ >> "$PWD/up"; exec sleep 600\' & wait';

function assembly(): Tree {
  return {
    'a/ASSEMBLY.md': '---\n---\nHelp.\n',
    'a/flows/main/FLOW.md': '---\ndescription: Many at once\n---\n',
    'a/flows/main/01-all/PARALLEL.md': `---\nwidth: ${BRANCHES}\n---\n`,
    ...Object.fromEntries(names.map((name) => [`a/flows/main/01-all/${name}.md`, stage()])),
    'a/flows/main/02-end.md': stage(),
    'script.jsonl': names
      .map((name) => `${JSON.stringify({ stage: `01-all/${name}`, calls: [{ tool: 'bash', input: { command: COMMAND } }] })}\n`)
      .join(''),
    'work/.keep': '',
  };
}

it(
  '[G-5 E-2 R-5] SIGINT in the middle of 32 branches ends all of them, and everything they started, and the record says so',
  async () => {
    const { folder } = built;
    plant(folder, assembly());
    const up = join(folder, 'work/up');
    const started = (): number[] => (existsSync(up) ? readFileSync(up, 'utf8').trim().split('\n').map(Number) : []);
    const ended: Ended = await flow(built, ['run', '--script', 'script.jsonl', '--in', 'work', './a', 'go'], {
      meet: (child) =>
        void (async () => {
          while (started().length < 2 * BRANCHES && child.exitCode === null) await pause(50);
          child.kill('SIGINT');
        })(),
    });
    expect(ended.code, ended.err).toBe(130);
    expect(started()).toHaveLength(2 * BRANCHES);
    expect(started().filter((pid) => readProcess(pid) !== null)).toEqual([]);
    expect(processesMarked(join(folder, 'cache'))).toEqual([]);
    expect(readdirSync(join(folder, 'cache'))).toEqual([]);

    const events = recordOf(join(folder, 'home/runs'));
    const ends = events.flatMap((event) => (event.event === 'stage_end' ? [event] : []));
    expect(ends.map(({ stage: path }) => path).sort()).toEqual(names.map((name) => `01-all/${name}`).sort());
    expect(new Set(ends.map(({ cause, exit }) => `${cause} ${exit}`))).toEqual(new Set(['signal 130']));
    expect(events.filter(({ event }) => event === 'signal')).toMatchObject([{ signal: 2, name: 'SIGINT' }]);
    expect(events.at(-1)).toMatchObject({ event: 'run_end', cause: 'signal', exit: 130 });
    const verified = await flow(built, ['verify', 'latest']);
    expect(verified.code, verified.out.toString() + verified.err).toBe(0);
  },
  LONGEST_MS,
);

function recordOf(runs: string): RecordEvent[] {
  const [run = ''] = readdirSync(runs, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const reader = createRecordReader();
  const events = reader.feed(readFileSync(join(runs, run, 'record.jsonl'))).flatMap(({ event }) => (event === null ? [] : [event]));
  expect(reader.reading()).toMatchObject({ state: 'valid', faults: [] });
  return events;
}
