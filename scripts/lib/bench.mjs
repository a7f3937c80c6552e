import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { root } from './root.mjs';

const command = join(root, 'runtime/bin/flow.mjs');
const results = join(root, 'scripts/bench/results');
const peakReporter = join(root, 'scripts/lib/bench-peak.cjs');
const residentReporter = join(root, 'scripts/lib/bench-rss.cjs');

/**
 * One measurement. `measure(scratch)` resolves to `{figures: [{name, value, unit, target?, least?}], beside, remark?}`; a value is good
 * when it is at most its target, or at least, where `least` says so. `scratch` is gone afterwards, also after a signal. Prints, writes
 * JSON, and is never a failure for being slow.
 */
export async function bench({ name, measure }) {
  if (!existsSync(join(root, 'runtime/dist/flow.js'))) {
    console.error('The command is not built: npm run build');
    process.exit(2);
  }
  const scratch = await mkdtemp(join(tmpdir(), 'flow-bench-'));
  for (const [signal, exit] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
    process.once(signal, () => {
      rmSync(scratch, { recursive: true, force: true });
      process.exit(exit);
    });
  try {
    const { figures, beside, remark } = await measure(scratch);
    const id = /\[(.*?)\]/.exec(name)[1];
    console.log(name);
    for (const figure of figures) console.log(`  ${line(figure)}`);
    if (beside) console.log(`  beside: ${beside}`);
    if (remark) console.log(`  remark: ${remark}`);
    await mkdir(results, { recursive: true });
    const document = { id, name, measured: new Date().toISOString(), node: process.version, figures, beside, remark };
    await writeFile(join(results, `${id}.json`), `${JSON.stringify(document, null, 2)}\n`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function line(figure) {
  const { name, value, unit } = figure;
  const verdict = figure.target === undefined ? '' : `  (target ${wanted(figure)}: ${isMet(figure) ? 'met' : 'missed'})`;
  return `${name}: ${round(value)}${unit}${verdict}`;
}

export const wanted = ({ target, unit, least }) => `${least ? '≥' : '≤'} ${target}${unit}`;
export const isMet = ({ value, target, least }) => (least ? value >= target : value <= target);
export const round = (value) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(Math.abs(value) >= 0.1 ? 2 : 3);

/** Runs the contenders in turn, `rounds` times after one round that does not count; resolves to the milliseconds of each, by name. */
export async function interleaved(contenders, rounds) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let n = -1; n < rounds; n++)
    for (const [name, contend] of Object.entries(contenders)) {
      const began = performance.now();
      const own = await contend();
      if (n >= 0) times[name].push(typeof own === 'number' ? own : performance.now() - began);
    }
  return times;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const bareNode = () => void spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });

/** The built command, in a home of its own. Throws what it said when it does not end as expected. */
export function flow(args, scratch, exit = 0) {
  runFlow([], args, { scratch, exit });
}

/** The same, and the largest resident set it had, in MiB. */
export function flowPeak(args, scratch, exit = 0) {
  const file = join(scratch, 'peak.txt');
  runFlow(['--require', peakReporter], args, { scratch, exit, env: { FLOW_BENCH_PEAK: file } });
  return Number(readFileSync(file, 'utf8')) / 1024;
}

/** The same, and the resident set it had while it ran, twenty times a second: `{time, mebibytes}`, the time in milliseconds since 1970. */
export function flowResident(args, scratch, exit = 0) {
  const file = join(scratch, 'resident.txt');
  runFlow(['--require', residentReporter], args, { scratch, exit, env: { FLOW_BENCH_RSS: file } });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((each) => each.split(' ').map(Number)).map(([time, kibibytes]) => ({ time, mebibytes: kibibytes / 1024 }));
}

function runFlow(before, args, { scratch, exit, env }) {
  const { status, stderr } = spawnSync(process.execPath, [...before, command, ...args], {
    cwd: scratch,
    env: { ...process.env, FLOW_HOME: join(scratch, 'home'), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== exit) throw new Error(`flow ${args.join(' ')}: exit ${status}\n${stderr}`);
}
