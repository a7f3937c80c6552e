import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { main } from '../../src/cli/main.js';
import { type Bundle, bundle, flow } from '../cli/bundle.js';
import { fakeIo } from '../cli/io.js';
import { scratchFolder } from '../io/scratch.js';
import { assembly, plant, sh, stage } from '../plan/ground.js';

let built: Bundle;
beforeAll(async () => {
  built = await bundle();
});
afterAll(() => built.remove());

const THREE = assembly({
  '01-read.md': stage('Read.'),
  '02-draft/STAGE.md': stage('Draft.'),
  '02-draft/.fixtures/pass/a.txt': 'a draft\n',
  '03-check.md': stage('Check.'),
});

/** A watching command of this process; what it says is waited for, one sentence after the other. */
function watching(words: readonly string[], root: string) {
  const closed = new AbortController();
  let text = '';
  let seen = 0;
  let look = (): void => {};
  const heard = (more: string | Uint8Array): void => {
    text += Buffer.from(more).toString();
    look();
  };
  const io = fakeIo({
    cwd: root,
    env: { HOME: root, FLOW_HOME: join(root, 'home'), PATH: process.env['PATH'], XDG_CACHE_HOME: join(root, 'cache') },
    out: async (bytes) => heard(bytes),
    err: heard,
    outClosed: closed.signal,
  });
  const done = main(['watch', './a', ...words], io);
  onTestFinished(async () => {
    closed.abort();
    await done;
  });
  return {
    done,
    /** Resolves to what was said until then, since the last time. */
    until: (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        look = () => {
          const found = pattern.exec(text.slice(seen));
          if (found === null) return;
          const said = text.slice(seen, seen + found.index + found[0].length);
          seen += found.index + found[0].length;
          look = () => {};
          resolve(said);
        };
        look();
      }),
    end() {
      closed.abort();
      return done;
    },
  };
}

function place() {
  const root = scratchFolder();
  plant(join(root, 'a'), THREE);
  const at = (path: string): string => join(root, 'a', path);
  return { root, at, stage: (name: string) => at(`flows/main/${name}`) };
}

const WAITING = /Watching\. Ctrl-C ends it\.\n/;

it('[I-1] checked at first and on each save: what is refused is told, and watching goes on', async () => {
  const { root, stage: step } = place();
  const { until, end } = watching([], root);
  expect(await until(WAITING)).toContain('main · 3 stages');
  writeFileSync(step('02-draft/STAGE.md'), '---\nretries: [\n');
  expect(await until(WAITING)).toMatch(/1 change\n {2}changed {3}flows\/main\/02-draft\/STAGE\.md\nfrontmatter-invalid/);
  writeFileSync(step('02-draft/STAGE.md'), stage('Draft.', 'retries: 7\n'));
  expect(await until(WAITING)).toContain('retries 7 (stage)');
  expect(await end()).toBe(0);
});

it('[I-1] a touch, a rewrite of the same bytes and files of editors are no change; a mode, a rename and a checkout are one each', async () => {
  const { root, stage: step } = place();
  const { until } = watching([], root);
  await until(WAITING);
  utimesSync(step('01-read.md'), new Date(), new Date());
  writeFileSync(step('03-check.md'), stage('Check.'));
  writeFileSync(step('4913'), '');
  rmSync(step('4913'));
  writeFileSync(step('.01-read.md.swp'), 'x');
  writeFileSync(step('.new'), stage('Read.'));
  renameSync(step('.new'), step('01-read.md'));
  chmodSync(step('02-draft/STAGE.md'), 0o755);
  expect(await until(WAITING)).toMatch(/^\d\d:\d\d:\d\d {2}1 change\n {2}mode {6}flows\/main\/02-draft\/STAGE\.md\n/);
  renameSync(step('03-check.md'), step('03-judge.md'));
  expect(await until(WAITING)).toContain('1 change\n  renamed   flows/main/03-check.md → flows/main/03-judge.md\n');
  mkdirSync(step('lib'));
  for (let count = 0; count < 1_000; count += 1) writeFileSync(step(`lib/${count}.txt`), `${count}`);
  expect(await until(/(?:added {5}flows\/main\/lib\n)[^]*Watching/)).not.toContain('999.txt');
});

it('[I-1] a folder that goes and comes again is watched on', async () => {
  const { root, at, stage: step } = place();
  const { until } = watching([], root);
  await until(WAITING);
  renameSync(at(''), join(root, 'elsewhere'));
  expect(await until(WAITING)).toContain('assembly-unknown');
  renameSync(join(root, 'elsewhere'), at(''));
  expect(await until(WAITING)).toContain('main · 3 stages');
  writeFileSync(step('01-read.md'), stage('Read it all.'));
  expect(await until(WAITING)).toContain('changed   flows/main/01-read.md');
});

it('[I-1 G-11 M-6] --run: from the first stage that changed; a fixture counts for a rehearsal; what shapes nothing runs nothing', async () => {
  const { root, at, stage: step } = place();
  const { until } = watching(['a request', '--run', '--rehearse'], root);
  await until(WAITING);
  writeFileSync(step('03-check.md'), stage('Check twice.'));
  const third = await until(WAITING);
  expect(third).toMatch(/Carried over from \S+: 01-read, 02-draft\.\n/);
  expect(third).not.toMatch(/▸ 0[12]/);
  writeFileSync(step('02-draft/.fixtures/pass/a.txt'), 'another draft\n');
  const second = await until(WAITING);
  expect(second).toMatch(/Carried over from \S+: 01-read\.\n/);
  expect(second).toContain('▸ 02-draft');
  writeFileSync(at('README.md'), 'For people.\n');
  expect(await until(WAITING)).toContain('Nothing that shapes the run has changed');
  const runs = readdirSync(join(root, 'home/runs')).filter((name) => !name.includes('.'));
  expect(runs).toHaveLength(3);
});

it('[I-1 E-2] a change to what runs stops the run, whose programs end, and the next one goes on from there', async () => {
  const { root, stage: step } = place();
  plant(join(root, 'a'), { 'flows/main/02-draft/gate.sh': sh(`echo "$$" > ${root}/pid; exec sleep 600`) });
  const { until } = watching(['a request', '--run', '--rehearse'], root);
  await until(/▸ 02-draft/);
  const pid = await firstText(join(root, 'pid'));
  writeFileSync(step('02-draft/gate.sh'), '#!/bin/sh\ntest -s "$1"\n');
  expect(await until(WAITING)).toMatch(/02-draft is another now: the run is stopped[^]*Carried over from \S+: 01-read\.[^]*✓ 03-check/);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

it('[I-1 E-2 E-1] Ctrl-C while a run is under way: its programs end, its record ends as the signal, exit 130', async () => {
  const root = scratchFolder();
  plant(join(root, 'a'), assembly({ '01-wait/STAGE.md': stage(), '01-wait/gate.sh': sh(`echo "$$" > ${root}/pid; exec sleep 600`) }));
  let pid = '';
  const interrupt = async (child: ChildProcess): Promise<void> => {
    pid = await firstText(join(root, 'pid'));
    child.kill('SIGINT');
  };
  const ended = await flow(built, ['watch', './a', 'x', '--run', '--rehearse'], {
    cwd: root,
    env: { FLOW_HOME: join(root, 'home') },
    meet: (child) => void interrupt(child),
  });
  expect(ended.code).toBe(130);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  const [run = ''] = readdirSync(join(root, 'home/runs')).filter((name) => !name.includes('.'));
  const last =
    readFileSync(join(root, 'home/runs', run, 'record.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  expect(JSON.parse(last)).toMatchObject({ event: 'run_end', cause: 'signal', exit: 130 });
});

it('[I-1 O-5] what was typed wrongly ends it at once: 2', async () => {
  const { root } = place();
  const missing = fakeIo({ cwd: root, env: { HOME: root } });
  expect(await main(['watch', './none'], missing)).toBe(2);
  expect(missing.said()).toContain('There is nothing at');
  const timeout = fakeIo({ cwd: root, env: { HOME: root } });
  expect(await main(['watch', './a', '--timeout', 'soon'], timeout)).toBe(2);
});

/** The text of a file as soon as it has one: a turn of the event loop after the other. */
async function firstText(path: string): Promise<string> {
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    if (text !== '') return text;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
