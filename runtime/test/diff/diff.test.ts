import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, it } from 'vitest';
import schema from '../../schemas/flow.diff.schema.json' with { type: 'json' };
import { main } from '../../src/cli/main.js';
import { pairStages } from '../../src/diff/pair.js';
import { fakeIo } from '../cli/io.js';
import { clear, ground, work } from '../resume/ground.js';
import { stage, stops, wrote } from '../run/ground.js';

afterAll(clear);

const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);

async function diff(home: string, words: readonly string[], more = {}) {
  const io = fakeIo({ env: { FLOW_HOME: home, HOME: home }, width: 120, ...more });
  const exit = await main(['diff', ...words], io);
  return { exit, out: io.printed(), err: io.said() };
}

interface Document {
  same: boolean;
  damaged: boolean;
  runs: {
    place: string;
    differences: { field: string }[];
    stages: { place: string; same: boolean; output: { kind: string; lines?: string[] } }[];
  }[];
}

async function document(home: string, words: readonly string[]): Promise<Document> {
  const { out } = await diff(home, [...words, '--json']);
  const parsed: Document = JSON.parse(out);
  validate(parsed);
  expect(validate.errors).toBeNull();
  return parsed;
}

it('[I-1 I-2] two runs of the same thing are the same, whatever their times: 0', async () => {
  const { home, run } = ground();
  const [a, b] = [await run(work()), await run(work())];
  const { exit, out, err } = await diff(home, [a.name, b.name]);
  expect([exit, err]).toEqual([0, '']);
  expect(out).toContain(' = 01-read\n');
  expect(out).toMatch(/The same, but for times\.\n$/);
  expect(await document(home, [a.name, b.name])).toMatchObject({ same: true, damaged: false });
});

it('[I-1 I-2] an output, a verdict and an option that differ are told side by side: 1', async () => {
  const { home, run, plant } = ground();
  const a = await run(work());
  plant({ '03-draft/STAGE.md': stage('Write for 03-draft.', 'retries: 0\ntimeout: 60\n') });
  const other = work('05-send').map((line) =>
    JSON.stringify(line).includes('good 03-draft') ? wrote('03-draft', 'good\nnew line\n') : line,
  );
  const b = await run(other);
  for (const width of [80, 120]) {
    const { exit, out } = await diff(home, [a.name, b.name], { width });
    expect(exit).toBe(1);
    expect(out).toContain(' ≠ 03-draft\n');
    expect(out).toMatch(/ {5}timeout +3600 \(default\) +60 \(stage\)\n/);
    expect(out).toContain('     -good 03-draft\n     +good\n     +new line\n');
    expect(out).toMatch(/ending +success +exhausted at gate\.sh\n/);
    expect(out).toContain(' = 02-sort\n');
  }
  const { runs, same } = await document(home, [a.name, b.name]);
  expect(same).toBe(false);
  expect(runs[0]?.stages.find(({ place }) => place === '03-draft')?.output.lines).toContain('+new line');
});

it('[I-1] stages that were added, removed and moved', async () => {
  const { home, run, flow, plant } = ground();
  const a = await run(work());
  renameSync(join(flow, '04-check'), join(flow, '06-check'));
  rmSync(join(flow, '02-sort'), { recursive: true });
  plant({ '07-last.md': stage('Last.') });
  const lines = [
    ...work().map((line) => JSON.parse(JSON.stringify(line).replaceAll('04-check', '06-check'))),
    wrote('07-last', 'end\n'),
    stops('07-last'),
  ];
  const { exit, out } = await diff(home, [a.name, (await run(lines)).name]);
  expect(exit).toBe(1);
  expect(out).toContain(' - 02-sort   only in A: success');
  expect(out).toContain(' + 07-last   only in B: success');
  expect(out).toContain(' ≠ 04-check → 06-check\n');
});

it('[I-1 K-8] what is no text is told by size and hash, and a long difference is cut and counted', async () => {
  const { home, run } = ground({ '01-read.md': stage('Read.') });
  const write = (content: string) => run([wrote('01-read', content), stops('01-read')]);
  const [a, b] = [await write('x\u0000a'), await write('x\u0000b')];
  const binary = await diff(home, [a.name, b.name]);
  expect(binary.out).toMatch(/output +3 bytes, [0-9a-f]{12} +3 bytes, [0-9a-f]{12}\n +no text/);
  const numbers = (from: number): string => Array.from({ length: 100 }, (_, index) => `line ${from + index}\n`).join('');
  const [c, d] = [await write(numbers(0)), await write(numbers(1_000))];
  const long = await diff(home, [c.name, d.name, '--lines', '5']);
  expect(long.out).toMatch(/… 196 more lines \(--lines N shows more\)/);
});

it('[I-1 I-3] nothing of an output reaches a terminal as it is', async () => {
  const { home, run } = ground({ '01-read.md': stage('Read.') });
  const [a, b] = [
    await run([wrote('01-read', 'a\u001b[31m\n'), stops('01-read')]),
    await run([wrote('01-read', 'b\u202e\n'), stops('01-read')]),
  ];
  const { out } = await diff(home, [a.name, b.name]);
  expect(out).toContain('-a\\x1b[31m');
  expect(out).toContain('+b\\u202e');
});

it('[I-1 R-8] an altered output and a damaged record are told: 5', async () => {
  const { home, run } = ground();
  const [a, b] = [
    await run(work()),
    await run(work().map((line) => (JSON.stringify(line).includes('good 03') ? wrote('03-draft', 'good 3\n') : line))),
  ];
  const output = join(b.folder, 'stages/03-draft/1/1/output.txt');
  const bytes = readFileSync(output);
  writeFileSync(output, 'good 4\n');
  const altered = await diff(home, [a.name, b.name]);
  expect(altered.exit).toBe(5);
  expect(altered.err).toContain('missing or was altered');
  writeFileSync(output, bytes);
  expect((await diff(home, [a.name, b.name])).exit).toBe(1);
  appendFileSync(join(b.folder, 'record.jsonl'), '{"ts":"x"}\n');
  expect((await diff(home, [a.name, b.name])).exit).toBe(5);
});

it('[I-1] no such run, or a number that is none: 2', async () => {
  const { home, run } = ground();
  const { name } = await run(work());
  const none = await diff(home, [name, 'nothing']);
  expect([none.exit, none.out]).toEqual([2, '']);
  expect(none.err).toContain('There is no run "nothing"');
  expect((await diff(home, [name, name, '--lines', 'all'])).exit).toBe(2);
});

it('[I-1] stages answer to each other by path and repeat, then by name without numbers, and each only once', () => {
  const of = (stage: string, repeat?: number) => ({ stage, ...(repeat === undefined ? {} : { repeat }) });
  const pairs = pairStages(
    [of('01-a'), of('02-l/01-b', 1), of('02-l/01-b', 2), of('03-c')],
    [of('01-a'), of('04-l/02-b', 1), of('02-c'), of('05-c')],
  );
  expect(pairs.map(({ a, b }) => [a?.stage, a?.repeat, b?.stage])).toEqual([
    ['01-a', undefined, '01-a'],
    ['02-l/01-b', 1, '04-l/02-b'],
    ['02-l/01-b', 2, undefined],
    ['03-c', undefined, '05-c'],
    [undefined, undefined, '02-c'],
  ]);
});
