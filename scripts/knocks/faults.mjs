#!/usr/bin/env node
//   node scripts/knocks/faults.mjs [--small] [--every N] [--seed N]
// Every call of node:fs that a run makes below its folders fails, one at a time; then real disks are full and real descriptors few.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { knocks, small, wanted } from '../lib/knocks.mjs';
import { fewDescriptors, fullDisks } from '../lib/knocks-full-disk.mjs';

const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE', 'TORN', 'SHORT'];
const WRITE = /^(write|writeFile)(Sync)? /;
const every = wanted('every', { full: 1, few: 61 });
const lane = process.argv.indexOf('--lane');

if (lane !== -1) await workLane(JSON.parse(process.argv[lane + 1]));
else {
  await knocks({
    name: '[Q-22] every file system call of a run fails, one at a time, and disks and descriptors run out',
    async knock({ scratch, random, fault, progress }) {
      const seen = { calls: 0, faults: 0, came: {}, tolerated: new Map() };
      const start = Math.floor(random() * every);
      for (const isolate of small ? [false] : [false, true]) await injected({ scratch, isolate, start, seen, fault, progress });
      progress('full disks');
      const disks = await fullDisks({ place: join(scratch, 'full'), fault, few: small });
      progress('few descriptors');
      const descriptors = await fewDescriptors({ place: join(scratch, 'few'), fault, few: small });
      const came = Object.entries(seen.came).map(([what, count]) => `${what} ${count}`);
      return {
        figures: [
          { name: 'file system calls of the run, and of the same with --isolate', value: seen.calls },
          { name: `faults put in (${CODES.join(', ')})`, value: seen.faults },
          { name: 'what the runs came to', value: came.join(', ') },
          { name: 'calls whose failure a run may outlive', value: [...seen.tolerated.keys()].sort().join(', ') },
          { name: 'runs on a full tmpfs', value: disks },
          { name: 'runs with few descriptors', value: descriptors },
        ],
      };
    },
  });
}

/** Shares the calls among processes: a fault that breaks one of them is seen, and the others go on. */
async function injected({ scratch, isolate, start, seen, fault, progress }) {
  const lanes = availableParallelism();
  const words = (index) => JSON.stringify({ scratch, isolate, start, every, index, lanes });
  let done = 0;
  await Promise.all(
    Array.from({ length: lanes }, async (_, index) => {
      const self = fileURLToPath(import.meta.url);
      const child = spawn(process.execPath, [self, ...process.argv.slice(2), '--lane', words(index)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
      let last = 'nothing';
      for await (const line of createInterface({ input: child.stdout })) {
        const told = JSON.parse(line);
        if (told.total !== undefined) seen.calls += index === 0 ? told.total : 0;
        else {
          last = `${told.code} at call ${told.call}, ${told.at}`;
          for (const text of told.faults) fault(`${last}: ${text}`);
          seen.faults += 1;
          seen.came[told.came] = (seen.came[told.came] ?? 0) + 1;
          if (told.came.startsWith('success') && told.code !== 'SHORT') seen.tolerated.set(told.at.split(' ')[0], true);
          if (++done % 200 === 0) progress(`${done} faults${isolate ? ' with --isolate' : ''}`);
        }
      }
      const how = await ended;
      if (how !== 0) fault(`a process of the runs ended with ${how} after ${last}`);
    }),
  );
}

async function workLane({ scratch, isolate, start, every: step, index, lanes }) {
  const { plantGround, runWithFault } = await import('../lib/knocks-fault-run.mjs');
  const ground = join(scratch, `ground-${isolate}-${index}`);
  await plantGround(ground, { repository: isolate });
  const tell = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);
  const place = (name) => join(scratch, `lane-${isolate}-${index}-${name}`);
  // The first run loads what is loaded late; the second is what the calls are counted by.
  await runWithFault({ ground, place: place('warm'), call: 0, code: '', isolate });
  const { calls, came, faults, words } = await runWithFault({ ground, place: place('count'), call: 0, code: '', isolate });
  if (came !== 'success' || faults.length > 0) throw new Error(`nothing failed, and it came to ${came}: ${words} ${faults.join('; ')}`);
  tell({ total: calls.length });
  for (let call = 1 + start + index * step; call <= calls.length; call += step * lanes) {
    const codes = WRITE.test(calls[call - 1]) ? CODES : CODES.slice(0, 4);
    // With --isolate, and in the small knock, a call fails in one way only.
    const chosen = isolate || step > 1 ? [codes[Math.floor(call / (step * lanes)) % codes.length]] : codes;
    for (const code of chosen) {
      const {
        calls: made,
        came: what,
        faults: wrong,
      } = await runWithFault({ ground, place: place(`${call}-${code}`), call, code, isolate });
      tell({ call, code, at: (made[call - 1] ?? 'a call that was not made').replaceAll(scratch, ''), came: what, faults: wrong });
      if (what === 'hung') process.exit(3);
    }
  }
  process.exit(0);
}
