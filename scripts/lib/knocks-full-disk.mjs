// Real disks without room, and real processes without descriptors.
import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { library } from './knocks.mjs';
import { makeGated, processesNaming, runsOf, runWords, startFlow } from './knocks-run.mjs';

/** KiB left free on a disk of 4 MiB. */
const LEVELS = [0, 4, 8, 16, 32, 64, 128, 256];
const WHERE = ['home', 'cache', 'tree'];

/** Runs with the home, the cache or the working tree on a tmpfs with this much room left. Answers how they ended. */
export async function fullDisks({ place, fault, few }) {
  if (process.getuid() !== 0) return 'not made: only root may mount';
  const came = {};
  const made = await madeIn(place);
  for (const where of WHERE) {
    for (const level of few ? [0, 32] : LEVELS) {
      const at = join(place, `${where}-${level}`);
      await mkdir(join(at, where), { recursive: true });
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', join(at, where)]).status === 0;
      if (!mounted) return 'not made: no tmpfs could be mounted';
      try {
        fill(join(at, where), level);
        const how = await judged(at, { made, fault: (text) => fault(`${where} with ${level} KiB left: ${text}`) });
        came[how] = (came[how] ?? 0) + 1;
      } finally {
        spawnSync('umount', ['-l', join(at, where)]);
      }
    }
  }
  return spell(came);
}

/** Runs that may have this many descriptors at once. */
export async function fewDescriptors({ place, fault, few }) {
  const came = {};
  const made = await madeIn(place);
  for (let limit = few ? 22 : 16; limit <= (few ? 26 : 44); limit += few ? 4 : 1) {
    const at = join(place, `limit-${limit}`);
    await mkdir(at);
    const prefix = ['/bin/sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh'];
    const how = await judged(at, { made, prefix, fault: (text) => fault(`with ${limit} descriptors: ${text}`) });
    came[how] = (came[how] ?? 0) + 1;
  }
  return spell(came);
}

async function madeIn(place) {
  await mkdir(place, { recursive: true });
  return makeGated(place, { stages: 3 });
}

/** Leaves so many KiB of the disk. */
function fill(folder, kib) {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, '.full'), Buffer.alloc(Math.max(0, bavail * bsize - kib * 1024)));
}

async function judged(at, { made, prefix, fault }) {
  const token = `${process.pid}${Buffer.from(at).reduce((sum, byte) => (sum * 31 + byte) % 1e9, 7)}`;
  await mkdir(join(at, 'tree'), { recursive: true });
  const { ended } = startFlow(runWords(made), { place: at, cwd: join(at, 'tree'), env: { KNOCK_MARK: token }, prefix });
  const { code, signal, hung, err, out } = await ended;
  if (hung) fault('hung');
  const living = processesNaming(token);
  if (living.length > 0) fault(`still alive: ${living.join(', ')}`);
  const [run] = runsOf(join(at, 'home'));
  const folder = run === undefined ? null : join(at, 'home/runs', run);
  if (folder !== null && existsSync(join(folder, 'record.jsonl'))) await readable(folder, code, fault);
  if (code === 0) return out === 'good 3\n' ? 'success' : (fault(`exit 0 with ${out}`), 'false success');
  // Below the few descriptors that Node itself needs to start, the process ends before any of our code.
  if (signal !== null || /node::|Fatal|FATAL|Check failed/.test(err) || (prefix && /^node:(?:internal|fs)\b/.test(err)))
    return 'Node did not start';
  if (code !== 1 && code !== 2) fault(`exit ${code}: ${err}`);
  if (!/E[A-Z]{3,}|no space|too many open/i.test(err)) fault(`exit ${code} without naming what failed: ${err}`);
  if (/ {4}at |of its own/.test(err)) fault(`a bug’s words: ${err}`);
  return code === 2 ? 'fault' : 'failed';
}

async function readable(folder, code, fault) {
  const { openRecord } = await library();
  const { reading } = await openRecord(folder).read();
  if (reading.state === 'invalid') fault(`the record is invalid: ${JSON.stringify(reading.faults)}`);
  if (code !== 0) return;
  const verdict = await openRecord(folder).verify();
  if (!verdict.verified) fault(`a false success: ${JSON.stringify(verdict.differences)}`);
}

const spell = (came) =>
  Object.entries(came)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');
