import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { diff, gate, graph, pictureMermaid, pictureSvg, pictureText, report, type RunResult, stage } from '../../src/index.js';
import { plant, sh, stage as stageText } from '../run/ground.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'flow-around-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const home = join(root, 'home');
const env = {
  PATH: process.env['PATH'],
  HOME: root,
  XDG_CACHE_HOME: join(root, 'cache'),
  MY_API_KEY: 'hello-hello-hello',
  MINE: 'secret-of-mine',
};
const here = { cwd: root, env, home };
const surroundings = { cwd: root, env, signal: new AbortController().signal };
const target = './a/flows/main/01-word';
let folders: readonly string[] = [];

beforeAll(async () => {
  plant(join(root, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp.\n',
    'flows/main/FLOW.md': '---\ndescription: A flow\n---\n',
    'flows/main/01-word/STAGE.md': stageText('Write the word.', 'retries: 0\n'),
    'flows/main/01-word/gate.sh': sh('grep -q good "$1" || { echo "no good: secret-of-mine"; exit 1; }'),
  });
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), 'redact: [MINE]\n');
  mkdirSync(join(root, 'given'));
  writeFileSync(join(root, 'given/request.txt'), 'say it\n');
  writeFileSync(join(root, 'good.txt'), 'good\n');
  writeFileSync(join(root, 'bad.txt'), 'bad\n');
  folders = [await ran('good'), await ran('bad')];
});

async function ran(word: string): Promise<string> {
  const lines = [
    { stage: '01-word', calls: [{ tool: 'write', input: { path: '$OUTPUT', content: word } }] },
    { stage: '01-word', text: 'done' },
  ];
  writeFileSync(join(root, `${word}.jsonl`), lines.map((line) => JSON.stringify(line)).join('\n'));
  const result = await stage({ target, home, input: './given', models: { kind: 'scripted', file: `./${word}.jsonl` } }, surroundings);
  return outcomeOf(result);
}

function outcomeOf(result: RunResult | Awaited<ReturnType<typeof stage>>): string {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.outcome.folder;
}

it('[I-9 K-1] gate judges files, and refuses what is not there', async () => {
  const judged = await gate({ target, home, outputs: ['good.txt', 'bad.txt'] }, surroundings);
  expect(judged).toMatchObject({
    ok: true,
    exit: 1,
    stopped: false,
    stages: [{ files: [{ verdict: 'pass' }, { verdict: 'fail', text: expect.stringContaining('no good') }] }],
  });
  expect(await gate({ target: './none', home }, surroundings)).toMatchObject({ ok: false });
});

it('[I-9] stage takes what a run gave it, and refuses a run that is not there', async () => {
  const again = await stage({ target, home, from: folders[0] ?? '', models: { kind: 'rehearsal', choose: [] } }, surroundings);
  expect(again).toMatchObject({ ok: true });
  expect(await stage({ target, home, from: 'never' }, surroundings)).toMatchObject({ ok: false });
});

it('[I-9 G-10] graph is data, and is drawn in three ways', async () => {
  const drawn = await graph(join(root, 'a'));
  if (!drawn.ok) throw new Error('refused');
  expect(pictureText(drawn.picture, 80)).toContain('gate.sh');
  expect(pictureMermaid(drawn.picture)).toMatch(/^(?:---|flowchart|graph|%%)/);
  expect(pictureSvg(drawn.picture)).toMatch(/^<svg /);
  expect(await graph(join(root, 'none'))).toMatchObject({ ok: false });
});

it('[I-9] diff tells two runs apart, and refuses a word that names none or several', async () => {
  const compared = await diff(folders[0] ?? '', folders[1] ?? '', here);
  if (!compared.ok) throw new Error('refused');
  const all = [];
  for await (const one of compared.diffs) all.push(one);
  expect(all).toMatchObject([{ place: '', same: false, stages: [{ place: '01-word', same: false }] }]);
  expect(await diff('never', 'latest', here)).toMatchObject({ ok: false, refusals: [{ code: 'path-missing' }] });
  const several = {
    code: 'request-invalid',
    message: expect.stringMatching(/^"2" begins the names of \d+ runs: \S+, \S+.*\. Say more of it\.$/),
  };
  expect(await diff('2', 'latest', here)).toMatchObject({ ok: false, refusals: [several] });
});

it('[I-9 R-6] a record that is damaged is refused with its line, and one that holds no event as such', async () => {
  const planted = (name: string, text: string): string => {
    plant(root, { [`${name}/record.jsonl`]: text });
    return join(root, name);
  };
  const asked = { ...here, format: 'junit' };
  expect(await report(planted('damaged', 'no event\n'), asked)).toMatchObject({
    refusals: [{ code: 'value-invalid', message: expect.stringMatching(/^The record of damaged is damaged or was altered:\n {2}line 1 /) }],
  });
  expect(await report(planted('empty', ''), asked)).toMatchObject({
    refusals: [{ code: 'value-invalid', message: 'The record of empty holds no event yet.' }],
  });
});

it('[I-9 S-2] report masks what the home declares, and refuses a format that is none', async () => {
  for (const format of ['junit', 'github', 'markdown', 'otlp', 'runlog']) {
    const made = await report(folders[1] ?? '', { ...here, format, contents: true });
    if (!made.ok) throw new Error(format);
    let text = '';
    for await (const piece of made.text) text += piece;
    expect(text).not.toBe('');
    expect(text, format).not.toContain('secret-of-mine');
  }
  expect(await report('latest', { ...here, format: 'pdf' })).toMatchObject({ ok: false });
  writeFileSync(join(home, 'config.yaml'), 'redact: [');
  expect(await report(folders[0] ?? '', { ...here, format: 'junit' })).toMatchObject({ ok: false });
});
