#!/usr/bin/env node
//   node scripts/knocks/signal.mjs [--small] [--times N] [--seed N]
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inLanes, knocks, library, small, wanted } from '../lib/knocks.mjs';
import {
  besideRuns,
  eventsOf,
  listed,
  makeGated,
  processesNaming,
  runsOf,
  runWords,
  startFlow,
  tokenOf,
  usualMs,
} from '../lib/knocks-run.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** One in so many runs leaves processes that do not heed SIGTERM. */
const STUBBORN = 10;
const times = wanted('times', { full: 200, few: 4 });
const stages = small ? 3 : 10;
/** E-2's own limit, from the signal to the exit. A few beside other tests measure nothing. */
const LIMIT_MS = small ? Infinity : 10_000;

await knocks({
  name: `[Q-21] SIGINT, SIGTERM and SIGHUP at ${times} random instants of a run of ${stages} stages`,
  async knock({ scratch, random, fault, progress }) {
    const made = await makeGated(scratch, { stages });
    const { openRecord } = await library();
    const usual = await usualMs(made, scratch);
    const seen = { unborn: 0, over: 0, stopped: 0, stubborn: 0, slowest: 0, slowestPlain: 0 };
    const plans = Array.from({ length: times }, (_, index) => ({
      index,
      signal: SIGNALS[index % SIGNALS.length],
      delay: random() * usual,
      stubborn: index % STUBBORN === 4,
    }));
    let done = 0;
    await inLanes(plans, async (plan) => {
      const say = (text) => fault(`${plan.signal} ${plan.index} after ${plan.delay.toFixed(0)} ms: ${text}`);
      await signalled(plan, { made, scratch, openRecord, seen, say });
      if (++done % 25 === 0) progress(`${done} of ${times}`);
    });
    return {
      figures: [
        { name: 'signalled before the run was born', value: seen.unborn },
        { name: 'over before the signal came', value: seen.over },
        { name: 'stopped: exit 128 + n, record ends in signal, verified, nothing left', value: seen.stopped },
        { name: 'of them with processes that do not heed SIGTERM', value: seen.stubborn },
        { name: 'slowest exit after the signal', value: `${(seen.slowest / 1000).toFixed(1)} s` },
        { name: 'slowest without such processes', value: `${(seen.slowestPlain / 1000).toFixed(1)} s` },
      ],
    };
  },
});

async function signalled({ index, signal, delay, stubborn }, { made, scratch, openRecord, seen, say }) {
  const place = join(scratch, `signal-${index}`);
  const home = join(place, 'home');
  const token = tokenOf(index);
  // A cache inside the working tree would not be used (S-4), so the tree is a folder of its own.
  const cwd = join(place, 'tree');
  await mkdir(cwd, { recursive: true });
  const { child, ended } = startFlow(runWords(made), {
    place,
    cwd,
    env: { KNOCK_MARK: token, ...(stubborn ? { KNOCK_STUBBORN: '1' } : {}) },
  });
  const exit = new Promise((resolve) => child.on('exit', (code, killer) => resolve({ code, killer, at: performance.now() })));
  await pause(delay);
  const began = performance.now();
  child.kill(signal);
  const { code, killer, at } = await exit;
  const living = processesNaming(token);
  const ms = at - began;
  const { err, hung } = await ended;
  if (hung) say('the run hung');
  if (living.length > 0) say(`still alive: ${living.join(', ')}`);

  const [run] = runsOf(home);
  const folder = run === undefined ? null : join(home, 'runs', run);
  if (killer === signal && (folder === null || !existsSync(join(folder, 'record.jsonl')))) seen.unborn += 1;
  // A process may be hit on its way out, with its record sealed and its output printed.
  else if (code === 0 || (killer === signal && succeeded(folder))) seen.over += 1;
  else {
    await judge({ folder, signal, code, killer, ms, err }, { openRecord, say });
    seen.stopped += 1;
    if (stubborn) seen.stubborn += 1;
    else seen.slowestPlain = Math.max(seen.slowestPlain, ms);
    seen.slowest = Math.max(seen.slowest, ms);
  }
  const left = [...listed(join(place, 'cache')), ...besideRuns(home)];
  if (left.length > 0) say(`left: ${left.join(', ')}`);
  await rm(place, { recursive: true, force: true });
}

function succeeded(folder) {
  const last = eventsOf(folder).at(-1);
  return last?.event === 'run_end' && last.cause === 'success';
}

async function judge({ folder, signal, code, killer, ms, err }, { openRecord, say }) {
  const expected = 128 + constants.signals[signal];
  if (code !== expected) return say(`exit ${code ?? killer}, not ${expected}: ${err}`);
  if (ms > LIMIT_MS) say(`${ms.toFixed(0)} ms to the exit`);
  if (folder === null) return say('no run');
  const events = eventsOf(folder);
  const last = events.at(-1);
  if (last?.event !== 'run_end' || last.cause !== 'signal' || last.exit !== expected) say(`the record ends in ${JSON.stringify(last)}`);
  if (!events.some(({ event, name }) => event === 'signal' && name === signal)) say('the record holds no such signal');
  if (events.some(({ event, hook }) => event === 'hook' && hook === 'failure')) say('a failure hook ran');
  const verdict = await openRecord(folder).verify();
  if (!verdict.verified) say(`the run does not verify: ${JSON.stringify(verdict.differences)}`);
}
