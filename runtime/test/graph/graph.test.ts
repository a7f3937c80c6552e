/**
 * Random graphs with random agents, really run: in this process, on the real disk, some with real gates. FLOW_GRAPH_RUNS says how many
 * (150 unless it is set), FLOW_GRAPH_SEED takes up the seed of a failure.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { verifyRun } from '@gated-flow/record';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { processesMarked } from '../../src/io/process-table.js';
import type { Plan } from '../../src/plan/plan.js';
import { calls, clear, go, type Line, type Ran, stage, stops, type Tree, wrote } from '../run/ground.js';
import { expectOrder, type KeptRun, keptRun, stageLine } from './kept.js';
import { placed, type Step } from './places.js';
import { filesOf, linesOf } from './planted.js';
import { exitOf, isOneByOne, told } from './reference.js';
import { type Program, programs } from './shapes.js';

const RUNS = Number(process.env['FLOW_GRAPH_RUNS'] ?? 150);
const seed = process.env['FLOW_GRAPH_SEED'];
/** Thousands are asked for by hand. Nothing here is a measurement. */
const LONGEST_MS = 60_000 + RUNS * 5_000;

afterAll(clear);

interface Graph {
  readonly main: readonly Step[];
  readonly oracle: readonly Step[];
  readonly depth: number;
}

const FLOW = '---\ndescription: One of the graph\nretries: 1\n---\n';

function play({ main, oracle, depth }: Graph): Promise<Ran> {
  const below = (folder: string, tree: Tree): Tree =>
    Object.fromEntries(Object.entries(tree).map(([path, value]) => [`${folder}/${path}`, value]));
  const dig = { flow: 'dig' };
  const lines: Line[] = [
    ...linesOf(main, { flow: 'main' }),
    ...linesOf(oracle, { flow: 'oracle' }),
    calls('01-dig', 'subflow', { calls: [{ flow: 'dig', input: 'x' }] }, dig),
    wrote('01-dig', '{}', dig),
    stops('01-dig', dig),
  ];
  return go(filesOf(main), lines, {
    flowFront: 'retries: 1\n',
    root: {
      'subflows/worker/FLOW.md': FLOW,
      'subflows/worker/01-work/STAGE.md': stage(),
      'subflows/worker/01-work/schema.json': '{"type":"object"}',
      'subflows/dig/DESCEND.md': `---\ndescription: Digs\nmax-depth: ${depth}\n---\n`,
      'subflows/dig/01-dig.md': stage(),
      'subflows/oracle/FLOW.md': FLOW,
      ...below('subflows/oracle', filesOf(oracle)),
    },
  });
}

it(
  '[G-1 G-2 G-3 G-4 G-5 G-6 G-7 G-8 G-10 R-5 R-6 E-1 S-3 S-5] whatever the graph and whatever its agents do, it is walked as it is written, recorded as it was walked, and nothing is left',
  async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const graph = graphOf(program);
        const ran = await play(graph);
        await expectWhole(ran, graph);
        clear();
      }),
      { numRuns: RUNS, ...(seed === undefined ? {} : { seed: Number(seed) }) },
    );
  },
  LONGEST_MS,
);

function graphOf({ main, oracle, depth }: Program): Graph {
  return { main: placed(main), oracle: placed(oracle), depth };
}

async function expectWhole({ outcome, plan, root }: Ran, graph: Graph): Promise<void> {
  const expected = told(graph.main, { given: ['request.txt'] }, graph);
  const kept = keptRun(outcome.folder);
  expect(kept.lines).toEqual(expected.lines);
  expect(outcome.ending).toMatchObject({ cause: expected.cause, exit: exitOf(expected.cause) });
  expect(kept.events.at(-1)).toMatchObject({ event: 'run_end', cause: expected.cause, exit: exitOf(expected.cause) });
  if (isOneByOne(graph.main)) expect(startsOf(kept)).toEqual(placesOf(expected.lines));
  for (const one of allOf(kept)) {
    expectOrder(one);
    expectForetold(one, plan);
  }
  expect(await verifyRun(outcome.folder)).toMatchObject({ verified: true, differences: [] });
  const cache = join(root, 'cache');
  expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([]);
  expect(processesMarked(cache)).toEqual([]);
}

function allOf(run: KeptRun): readonly KeptRun[] {
  return [run, ...run.children.flatMap(allOf)];
}

/** The stages of the run itself in the order in which they started. */
function startsOf({ events }: KeptRun): string[] {
  return events.flatMap((event) =>
    event.event === 'stage_start' ? [placeOf(stageLine({ ...event, stage: event.stage ?? '', ending: null }))] : [],
  );
}

/** The same of what the reference tells: neither containers nor what is below a call. */
function placesOf(lines: readonly string[]): string[] {
  return lines.filter((line) => /^\d/.test(line)).map(placeOf);
}

function placeOf(line: string): string {
  return line.slice(0, line.indexOf(']') + 1);
}

/** What a stage was given is among what was said before the run (G-10). */
function expectForetold({ flow, events }: KeptRun, plan: Plan): void {
  const rows = flow === 'main' ? plan.rows : plan.callable.get(`subflows/${flow}`);
  for (const event of events) {
    if (event.event !== 'stage_start') continue;
    const row = rows?.find((one) => one.stage === event.stage);
    expect(row, `a row for ${event.stage}`).toBeDefined();
    if (row?.type !== 'STAGE') continue;
    const surprises = event.received.filter(({ name }) => !row.input.some((foretold) => fits(name, foretold)));
    expect(surprises, `${event.stage} of ${flow}; foretold: ${row.input.join(' ')}`).toEqual([]);
  }
}

/** `<id>` stands for an item's id, `.*` for any extension. */
function fits(name: string, foretold: string): boolean {
  if (foretold.startsWith('<id>')) return /^i\d$/.test(name.slice(0, name.indexOf('.'))) && name.endsWith(foretold.slice('<id>'.length));
  return foretold.endsWith('.*') ? name.startsWith(foretold.slice(0, -1)) : name === foretold;
}
