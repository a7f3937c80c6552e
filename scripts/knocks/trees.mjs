#!/usr/bin/env node
//   node scripts/knocks/trees.mjs [--small] [--times N] [--seed N]
// Random trees and changed valid ones, on a real disk: read, and judged by a second, small grammar.
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { knocks, library, randomOf, small, wanted } from '../lib/knocks.mjs';
import { unnamed } from '../lib/knocks-grammar.mjs';
import { ANY, FORBIDDEN, openGround, plantRandom, treeOf } from '../lib/knocks-trees.mjs';
import { root } from '../lib/root.mjs';

const times = wanted('times', { full: 20_000, few: 2_000 });
/** A reader that takes longer for one small tree hangs. */
const LONGEST_MS = 60_000;
const VALID = join(root, 'fixtures/assemblies/valid/everything/assembly');

if (!isMainThread) await workLane(workerData);
else {
  await knocks({
    name: `[Q-23] ${times.toLocaleString('en')} random and changed trees`,
    async knock({ scratch, random, fault, progress }) {
      const lanes = small ? 1 : availableParallelism();
      const seen = { trees: 0, accepted: 0, refused: 0, forbidden: {}, codes: new Set() };
      const start = Math.floor(random() * 2 ** 31);
      const share = Math.ceil(times / lanes);
      await Promise.all(
        Array.from({ length: lanes }, (_, index) => lane({ scratch, seed: start + index, index, share }, { seen, fault, progress })),
      );
      const kinds = Object.values(seen.forbidden);
      return {
        figures: [
          { name: 'trees read', value: seen.trees },
          { name: 'accepted, and all of it named by the second grammar', value: seen.accepted },
          { name: 'refused', value: seen.refused },
          { name: 'refusal codes met', value: seen.codes.size },
          {
            name: `changes that must be refused, of ${kinds.length} kinds, each with its code`,
            value: kinds.reduce((sum, count) => sum + count, 0),
          },
        ],
      };
    },
  });
}

function lane(data, { seen, fault, progress }) {
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: data, argv: process.argv.slice(2) });
    let alive = performance.now();
    const watchdog = setInterval(() => {
      if (performance.now() - alive < LONGEST_MS) return;
      fault(`the reader hangs after tree ${seen.trees}, seed ${data.seed}`);
      void worker.terminate();
    }, 1_000);
    worker.on('message', ({ wrong, trees, accepted, refused, forbidden, codes }) => {
      alive = performance.now();
      if (wrong !== undefined) return fault(wrong);
      const before = seen.trees;
      seen.trees += trees;
      seen.accepted += accepted;
      seen.refused += refused;
      for (const code of codes) seen.codes.add(code);
      for (const [kind, count] of Object.entries(forbidden)) seen.forbidden[kind] = (seen.forbidden[kind] ?? 0) + count;
      if (Math.floor(before / 2_000) < Math.floor(seen.trees / 2_000)) progress(`${seen.trees} trees`);
    });
    worker.on('error', (error) => fault(`thrown: ${error.stack}`));
    worker.on('exit', () => {
      clearInterval(watchdog);
      resolve();
    });
  });
}

async function workLane({ scratch, seed, index, share }) {
  const { readAssembly } = await library();
  const random = randomOf(seed);
  const place = join(scratch, `lane-${index}`);
  await mkdir(place);
  const ground = openGround(VALID, join(place, 'valid'));
  const untouched = await readAssembly(ground.folder);
  if (!untouched.ok) throw new Error(`the valid tree is refused: ${JSON.stringify(untouched.refusals)}`);
  const kinds = Object.keys(FORBIDDEN);
  for (let done = 0; done < share;) {
    const told = { trees: 0, accepted: 0, refused: 0, forbidden: {}, codes: new Set() };
    for (; told.trees < 50 && done < share; done++) await oneTree({ readAssembly, random, place, ground, kinds, done, told, seed });
    parentPort.postMessage(told);
  }
}

async function oneTree({ readAssembly, random, place, ground, kinds, done, told, seed }) {
  const way = done % 4;
  const say = (text) => parentPort.postMessage({ wrong: `tree ${done} of seed ${seed}: ${text}` });
  let folder = ground.folder;
  let codes = null;
  let kind = 'random';
  if (way === 0) plantRandom((folder = join(place, 'random')), random);
  else if (way === 1) for (let n = 1 + Math.floor(random() * 3); n > 0; n--) ANY[Math.floor(random() * ANY.length)](ground, random);
  else {
    kind = kinds[Math.floor(random() * kinds.length)];
    codes = FORBIDDEN[kind](ground, random);
  }
  const result = await readAssembly(folder).catch((error) => ({ thrown: error }));
  told.trees += 1;
  if ('thrown' in result) say(`${kind}: threw ${result.thrown.stack}`);
  else if (result.ok) judgeAccepted({ folder, codes, kind, told, say });
  else {
    told.refused += 1;
    if (result.refusals.length === 0) say(`${kind}: refused without a word`);
    for (const { code } of result.refusals) told.codes.add(code);
    if (codes !== null && !result.refusals.some(({ code }) => codes.includes(code)))
      say(`${kind}: none of ${codes.join(', ')} but ${JSON.stringify(result.refusals)}`);
    else if (codes !== null) told.forbidden[kind] = (told.forbidden[kind] ?? 0) + 1;
  }
  if (way !== 0) ground.put();
}

function judgeAccepted({ folder, codes, kind, told, say }) {
  told.accepted += 1;
  if (codes !== null) return say(`${kind}: accepted`);
  const strangers = unnamed(treeOf(folder));
  if (strangers.length > 0) say(`accepted with ${strangers.join(', ')}, which no rule names`);
}
