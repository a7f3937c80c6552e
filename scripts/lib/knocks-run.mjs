import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './knocks.mjs';

const RUN = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-[0-9a-f]{4}$/;
/** Long after any rule's limit: nothing here is a measurement. */
const LONGEST_MS = 300_000;

const stageName = (index) => `${String(index).padStart(2, '0')}-s${index}`;

/**
 * An assembly whose stages have hooks and gates, all of which leave processes behind: plain ones, ones in a session of their own, ones
 * forked twice, ones with an empty environment, and, with KNOCK_STUBBORN set, ones that do not heed SIGTERM. Every process that
 * sleeps names `KNOCK_MARK`. Resolves to the assembly's path and its script.
 */
export async function makeGated(folder, { stages, pause = 0.02 }) {
  const assembly = join(folder, 'gated');
  const flow = join(assembly, 'flows/main');
  await mkdir(flow, { recursive: true });
  await writeFile(join(assembly, 'ASSEMBLY.md'), '---\n---\nKnocked at, not meant.\n');
  await writeFile(join(flow, 'FLOW.md'), '---\ndescription: many gates\n---\n');
  for (let index = 1; index <= stages; index++) {
    const stage = join(flow, stageName(index));
    await mkdir(stage);
    await writeFile(join(stage, 'STAGE.md'), '---\ntimeout: 60\n---\nWrite the word.\n');
    if (index % 3 !== 0) await executable(join(stage, 'before.sh'), leave(index + 1));
    await executable(join(stage, 'gate.sh'), `${leave(index)}sleep ${pause}\ngrep -q good "$1"\n`);
    if (index % 4 === 0) await executable(join(stage, 'success.sh'), `${leave(index + 2)}sleep ${pause}\n`);
  }
  const script = join(folder, 'script.jsonl');
  await writeFile(
    script,
    scriptOf(stages)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  return { assembly, script };
}

/** A line of shell that leaves a process of one kind behind. */
function leave(index) {
  return `if [ -n "$KNOCK_STUBBORN" ]; then trap '' TERM; fi\n${KINDS[index % KINDS.length]}\n`;
}

const KINDS = [
  'sleep "86400.$KNOCK_MARK" &',
  'setsid sleep "86401.$KNOCK_MARK" &',
  '(setsid sleep "86402.$KNOCK_MARK" >/dev/null 2>&1 &) &',
  'env -i sleep "86403.$KNOCK_MARK" &',
];

async function executable(file, text) {
  await writeFile(file, `#!/bin/sh\n${text}`);
  await chmod(file, 0o755);
}

/** Every third stage is sent back once. */
function scriptOf(stages) {
  const lines = [];
  for (let index = 1; index <= stages; index++) {
    const stage = stageName(index);
    const write = (content) => ({ tool: 'write', input: { path: '$OUTPUT', content } });
    const behind = { tool: 'bash', input: { command: 'sleep "86404.$KNOCK_MARK" & (setsid sleep "86405.$KNOCK_MARK" &) & echo left' } };
    if (index % 3 === 0) lines.push({ stage, calls: [write('bad')] }, { stage, text: 'Done.' });
    lines.push({ stage, calls: [...(index % 2 === 1 ? [behind] : []), write(wordOf(index))] }, { stage, text: 'Done.' });
  }
  return lines;
}

const wordOf = (index) => `good ${index}\n`;

/** Starts the built command with everything of its own in `place`, a folder that must be there. */
export function startFlow(words, { place, cwd = place, env = {}, prefix = [] }) {
  const [file, ...args] = [...prefix, process.execPath, command, ...words];
  const child = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...clean(process.env),
      HOME: place,
      FLOW_HOME: join(place, 'home'),
      XDG_CACHE_HOME: join(place, 'cache'),
      NO_COLOR: '1',
      ...env,
    },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes) => (out += bytes));
  child.stderr.on('data', (bytes) => (err += bytes));
  const began = performance.now();
  const ended = new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    let left = null;
    child.on('exit', (code, signal) => (left = { code, signal, ms: performance.now() - began }));
    child.on('close', () => {
      clearTimeout(timer);
      resolve({ ...left, hung: left.ms >= LONGEST_MS, out, err });
    });
  });
  return { child, ended };
}

export const runWords = ({ assembly, script }) => ['run', '--quiet', '--script', script, assembly, 'go'];

/** Milliseconds that an undisturbed run takes from start to exit. */
export async function usualMs(made, scratch) {
  const place = join(scratch, 'usual');
  const cwd = join(place, 'tree');
  await mkdir(cwd, { recursive: true });
  const taken = [];
  for (let n = 0; n < 2; n++) {
    const { code, ms, err } = await startFlow(runWords(made), { place, cwd, env: { KNOCK_MARK: tokenOf(99_999_999) } }).ended;
    if (code !== 0) throw new Error(`${command} does not run the assembly: exit ${code}\n${err}`);
    taken.push(ms);
  }
  return Math.max(...taken);
}

/** Without the runtime's own variables and without what a test runner adds. */
function clean(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(FLOW|VITEST|NODE_OPTIONS|.*_API_KEY$)/.test(name)));
}

/** Digits that stand in no command line or environment but those of what a knock starts under this number. */
export function tokenOf(index) {
  return `${String(process.pid).padStart(12, '0')}${String(index).padStart(8, '0')}7`;
}

/** Living processes whose command line or environment names the token; this one is never among them. */
export function processesNaming(token) {
  const found = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue;
    const read = (name) => {
      try {
        return readFileSync(`/proc/${pid}/${name}`, 'latin1');
      } catch {
        return '';
      }
    };
    const line = read('cmdline');
    if (line === '' || (!line.includes(token) && !read('environ').includes(token))) continue;
    // One that has gone by now says nothing any more.
    if (/\) [^ZX] /.test(read('stat'))) found.push(`${pid} ${line.replaceAll('\0', ' ').trim()}`);
  }
  return found;
}

/** Names of the runs of a home, oldest first. */
export function runsOf(home) {
  const runs = join(home, 'runs');
  return existsSync(runs)
    ? readdirSync(runs)
        .filter((name) => RUN.test(name))
        .sort()
    : [];
}

/** What stands in a home's `runs` beside the runs: locks, groups. */
export function besideRuns(home) {
  const runs = join(home, 'runs');
  return existsSync(runs) ? readdirSync(runs).filter((name) => !RUN.test(name)) : [];
}

export const listed = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/** The whole lines of a record as they stand, read without the code under test. */
export function eventsOf(folder) {
  const file = join(folder, 'record.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Sealed outputs whose bytes are not there as the record says. */
export function lostSeals(folder) {
  return eventsOf(folder)
    .filter(({ event, sealed }) => event === 'stage_end' && sealed)
    .filter(({ output }) => {
      const file = join(folder, output.path);
      return !existsSync(file) || createHash('sha256').update(readFileSync(file)).digest('hex') !== output.sha256;
    })
    .map(({ output }) => output.path);
}

export const sealsOf = (folder) => eventsOf(folder).filter(({ event, sealed }) => event === 'stage_end' && sealed).length;
