import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assembly, plant, stage } from '../plan/ground.js';
import { bundle, type Bundle, type Ended, flow as start, type Start } from './bundle.js';

let built: Bundle;
beforeAll(async () => {
  built = await bundle('9.9.9');
  const stages = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index + 1}-${'n'.repeat(90)}${index}.md`, stage()]));
  plant(join(built.folder, 'a'), assembly(stages));
});
afterAll(() => built.remove());

function flow(words: readonly string[], how?: Start): Promise<Ended> {
  return start(built, words, how);
}

it('[Q-1 I-1] --version answers', async () => {
  const { code, out, err } = await flow(['--version']);
  expect([code, out.toString(), err]).toEqual([0, '9.9.9\n', '']);
});

it('[Q-1] nothing is loaded to say the version: the first file imports nothing', () => {
  const first = readFileSync(built.bin, 'utf8');
  expect(first.match(/^import\b(?!\s*\{\s*createRequire).*$/gm) ?? []).toEqual([]);
});

it('[I-1] a folder that was removed under the shell is said in one sentence, with the way out', async () => {
  const gone = join(built.folder, 'gone');
  mkdirSync(gone);
  const shell = ['-c', 'rmdir "$PWD" && "$0" "$@"', process.execPath, built.bin];
  for (const [words, code, said] of [
    [['list'], 2, /^The folder you are in is not there any more\. Go to one that is: {2}cd ~\n$/],
    [['--version'], 0, /^$/],
  ] as const) {
    mkdirSync(gone, { recursive: true });
    const ended = spawnSync('/bin/sh', [...shell, ...words], { cwd: gone, encoding: 'utf8' });
    expect([ended.status, ended.stderr]).toEqual([code, expect.stringMatching(said)]);
  }
});

it('[I-4 I-2] a document larger than a pipe arrives whole, and the open standard input of a CI job hangs nothing', async () => {
  const { code, out } = await flow(['check', './a', '--json'], { open: true });
  expect(code).toBe(0);
  expect(out.length).toBeGreaterThan(400_000);
  const parsed: unknown = JSON.parse(out.toString());
  expect(parsed).toMatchObject({ kind: 'flow.check', stages: { length: 600 } });
});

it('[I-4] a reader that leaves is quiet', async () => {
  const { code, err } = await flow(['check', './a', '--json'], { meet: (child) => child.stdout?.destroy() });
  expect([code, err]).toEqual([0, '']);
});

it('[I-3] the log is written only when asked for, as lines in its file, never into the output', async () => {
  mkdirSync(join(built.folder, 'logs'));
  writeFileSync(join(built.folder, 'logs/earlier.log'), 'earlier\n');
  const { code, out, err } = await flow(['check', './a', '--json', '--log-level', 'debug', '--log-file', 'logs/earlier.log']);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out.toString())).toMatchObject({ kind: 'flow.check' });
  const [first, ...lines] = readFileSync(join(built.folder, 'logs/earlier.log'), 'utf8').trimEnd().split('\n');
  expect(first).toBe('earlier');
  expect(lines.map((line): unknown => JSON.parse(line))[0]).toMatchObject({
    msg: 'started',
    words: ['check', './a', '--json', '--log-level', 'debug', '--log-file', 'logs/earlier.log'],
  });
});

it('[I-3] without a file the log goes to standard error', async () => {
  const { code, out, err } = await flow(['check', './a', '--json', '--log-level', 'debug']);
  expect(code).toBe(0);
  expect(err).toContain('started');
  expect(out.toString()).not.toContain('started');
});
