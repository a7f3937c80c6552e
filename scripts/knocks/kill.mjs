#!/usr/bin/env node
//   node scripts/knocks/kill.mjs [--small] [--times N] [--seed N]
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inLanes, knocks, library, small, wanted } from '../lib/knocks.mjs';
import {
  besideRuns,
  eventsOf,
  listed,
  lostSeals,
  makeGated,
  processesNaming,
  runsOf,
  runWords,
  sealsOf,
  startFlow,
  tokenOf,
  usualMs,
} from '../lib/knocks-run.mjs';

const times = wanted('times', { full: 500, few: 5 });
const stages = small ? 3 : 10;
/** One in so many runs leaves processes that do not heed SIGTERM; each of those takes the next command five seconds. */
const STUBBORN = 25;

await knocks({
  name: `[Q-20] SIGKILL at ${times} random instants of a run of ${stages} stages with gates and hooks`,
  async knock({ scratch, random, fault, progress }) {
    const made = await makeGated(scratch, { stages });
    const { openRecord } = await library();
    const usual = await usualMs(made, scratch);
    const resumes = await canResume(scratch);
    const seen = { unborn: 0, whole: 0, cut: 0, before: 0, seals: 0, ended: 0, swept: 0, resumed: 0, carried: 0 };
    const plans = Array.from({ length: times }, (_, index) => ({
      index,
      delay: random() * usual * 1.05,
      stubborn: index % STUBBORN === 7,
    }));
    let done = 0;
    await inLanes(plans, async (plan) => {
      const say = (text) => fault(`kill ${plan.index} after ${plan.delay.toFixed(0)} ms: ${text}`);
      await killed(plan, { made, scratch, openRecord, resumes, seen, say });
      if (++done % 50 === 0) progress(`${done} of ${times}`);
    });
    return {
      figures: [
        { name: 'killed before the run was born', value: seen.unborn },
        { name: 'records cut off', value: seen.cut },
        { name: 'of them before the first stage', value: seen.before },
        { name: 'records whole', value: seen.whole },
        { name: 'sealed outputs, all there with their hash', value: seen.seals },
        { name: 'processes left by the dead runtime', value: seen.ended },
        { name: 'runs that a later command told to have cleared', value: seen.swept },
        {
          name: 'runs resumed to success',
          value: resumes ? `${seen.resumed}, with ${seen.carried} stages carried` : 'this build has no resume',
        },
      ],
    };
  },
});

async function killed({ index, delay, stubborn }, { made, scratch, openRecord, resumes, seen, say }) {
  const place = join(scratch, `kill-${index}`);
  const home = join(place, 'home');
  const token = tokenOf(index);
  const env = { KNOCK_MARK: token, ...(stubborn ? { KNOCK_STUBBORN: '1' } : {}) };
  await mkdir(join(place, 'tree'), { recursive: true });
  const flow = (words) => startFlow(words, { place, env, cwd: join(place, 'tree') });

  const { child, ended } = flow(runWords(made));
  await pause(delay);
  child.kill('SIGKILL');
  // A child of the dead process may hold its standard error; its own end is what counts.
  await Promise.race([new Promise((resolve) => child.on('exit', resolve)), ended]);
  seen.ended += processesNaming(token).length;

  const [run] = runsOf(home);
  const folder = run === undefined ? null : join(home, 'runs', run);
  const state = folder !== null && existsSync(join(folder, 'record.jsonl')) ? await stateOf(folder, openRecord, say) : null;
  if (state === null) seen.unborn += 1;
  else if (state === 'valid') seen.whole += 1;
  else seen.cut += 1;
  if (folder !== null) seen.seals += checkSeals(folder, say);

  const begun = state === 'incomplete' && eventsOf(folder).some(({ event }) => event === 'stage_start');
  if (state === 'incomplete' && !begun) seen.before += 1;
  // Before its first stage a run may not have kept its request and its assembly yet: there is nothing to go on from.
  const resumable = resumes && begun;
  // Half of the runs are met first by a command that reads, the others by the one that goes on.
  if (!resumable || index % 2 === 0) await nextCommand(flow(['list']), { place, home, token, seen, say });
  if (resumable) {
    await nextCommand(flow(['resume', run, '--script', made.script]), { place, home, token, seen, say, exit: 0 });
    await checkResumed(home, run, { openRecord, seen, say });
  }
  await rm(place, { recursive: true, force: true });
}

async function stateOf(folder, openRecord, say) {
  const { reading } = await openRecord(folder).read();
  if (reading.state === 'invalid') say(`the record reads as invalid: ${JSON.stringify(reading.faults)}`);
  return reading.state;
}

function checkSeals(folder, say) {
  for (const path of lostSeals(folder)) say(`the sealed ${path} is lost`);
  return sealsOf(folder);
}

/** After the next command nothing of the dead run may be left but its folder. */
async function nextCommand({ ended }, { place, home, token, seen, say, exit }) {
  const { code, err, out, hung } = await ended;
  if (hung) say('the next command hung');
  if (exit === undefined ? code !== 0 && code !== 1 : code !== exit) say(`the next command ended with ${code}: ${err}${out}`);
  if (/was killed:/.test(err)) seen.swept += 1;
  const living = processesNaming(token);
  if (living.length > 0) say(`still alive: ${living.join(', ')}`);
  const scratch = listed(join(place, 'cache'));
  if (scratch.length > 0) say(`scratch left: ${scratch.join(', ')}`);
  const beside = besideRuns(home);
  if (beside.length > 0) say(`left beside the runs: ${beside.join(', ')}`);
}

async function checkResumed(home, run, { openRecord, seen, say }) {
  const [next] = runsOf(home).filter((name) => name !== run);
  if (next === undefined) return say('resume made no run');
  const folder = join(home, 'runs', next);
  const verdict = await openRecord(folder).verify();
  if (!verdict.verified) return say(`the resumed run does not verify: ${JSON.stringify(verdict.differences)}`);
  const events = eventsOf(folder);
  if (events.at(-1).cause !== 'success') return say(`the resumed run ended with ${events.at(-1).cause}`);
  checkSeals(folder, say);
  seen.resumed += 1;
  seen.carried += events.filter(({ event }) => event === 'stage_carried').length;
}

async function canResume(place) {
  return /^ {2}resume\b/m.test((await startFlow(['--help'], { place }).ended).out);
}
