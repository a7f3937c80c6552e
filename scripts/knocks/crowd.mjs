#!/usr/bin/env node
//   node scripts/knocks/crowd.mjs [--small] [--seconds N] [--width N] [--seed N]
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inLanes, knocks, library, small, wanted } from '../lib/knocks.mjs';
import { besideRuns, eventsOf, listed, processesNaming, runsOf, startFlow, tokenOf } from '../lib/knocks-run.mjs';

const seconds = wanted('seconds', { full: 300, few: 3 });
const width = wanted('width', { full: 24, few: 6 });
/** Between two looks of the readers. */
const LOOK_MS = 500;

await knocks({
  name: `[Q-25] ${width} concurrent runs in one home and one tree for ${seconds} seconds`,
  async knock({ scratch, random, fault, progress }) {
    const token = tokenOf(0);
    const assembly = await makeAssembly(scratch);
    const flow = (words) => startFlow(words, { place: scratch, cwd: join(scratch, 'tree'), env: { KNOCK_MARK: token } });
    await mkdir(join(scratch, 'tree'));
    const started = new Map();
    const seen = { refused: 0, looks: 0 };
    const first = await oneRun({ flow, assembly, scratch, word: wordOf(0, random) });
    if (first.code !== 0) throw new Error(first.err);
    started.set(first.word, first);
    const until = performance.now() + seconds * 1_000;
    let next = 1;
    const lane = async () => {
      while (performance.now() < until) {
        const ended = await oneRun({ flow, assembly, scratch, word: wordOf(next++, random) });
        started.set(ended.word, ended);
        if (ended.code !== 0 || ended.hung) fault(`a run ended with ${ended.code}: ${ended.err}`);
        if (started.size % 100 === 0) progress(`${started.size} runs`);
      }
    };
    let over = false;
    const reading = readers({ flow, fault, seen, over: () => over });
    await Promise.all(Array.from({ length: width }, lane));
    over = true;
    await reading;
    progress(`${started.size} runs; verifying`);
    await judge({ home: join(scratch, 'home'), started, fault });
    const left = [...besideRuns(join(scratch, 'home')), ...listed(join(scratch, 'cache')), ...processesNaming(token)];
    if (left.length > 0) fault(`left: ${left.join(', ')}`);
    return {
      figures: [
        { name: 'runs, each with its own events alone, verified, under a name of its own', value: started.size },
        { name: 'looks by flow list and flow show latest meanwhile', value: seen.looks },
        { name: 'locks, scratch folders and processes left', value: left.length },
      ],
    };
  },
});

function wordOf(index, random) {
  return `word-${index}-${Math.floor(random() * 2 ** 32).toString(16)}`;
}

async function makeAssembly(scratch) {
  const flow = join(scratch, 'assembly/flows/main');
  for (const stage of ['01-say', '02-again']) await mkdir(join(flow, stage), { recursive: true });
  await writeFile(join(scratch, 'assembly/ASSEMBLY.md'), '---\n---\nHelp.\n');
  await writeFile(join(flow, 'FLOW.md'), '---\ndescription: a word, twice\n---\n');
  for (const stage of ['01-say', '02-again']) {
    await writeFile(join(flow, stage, 'STAGE.md'), '---\n---\nWrite the word.\n');
    await writeFile(join(flow, stage, 'gate.sh'), '#!/bin/sh\ncat "$1"\nsleep 0.05\n', { mode: 0o755 });
  }
  return join(scratch, 'assembly');
}

async function oneRun({ flow, assembly, scratch, word }) {
  const script = join(scratch, `${word}.jsonl`);
  const lines = ['01-say', '02-again'].flatMap((stage) => [
    { stage, calls: [{ tool: 'write', input: { path: '$OUTPUT', content: `${word} ${stage}` } }] },
    { stage, text: word },
  ]);
  await writeFile(script, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const ended = await flow(['run', '--quiet', '--script', script, '--correlation', word, assembly, word]).ended;
  return { word, ...ended };
}

/** Commands that read must never fail while runs come and go. */
async function readers({ flow, fault, seen, over }) {
  const commands = [['list'], ['show', 'latest'], ['list', '--json'], ['show', 'latest', '--json']];
  for (let n = 0; !over(); n++) {
    const words = commands[n % commands.length];
    const { code, err, out } = await flow(words).ended;
    if (code !== 0) fault(`flow ${words.join(' ')}: exit ${code}: ${err}`);
    if (words[1] === '--json' || words[2] === '--json') JSON.parse(out);
    seen.looks += 1;
    await pause(LOOK_MS);
  }
}

async function judge({ home, started, fault }) {
  const { openRecord } = await library();
  const runs = runsOf(home);
  if (runs.length !== started.size) fault(`${started.size} runs ended, ${runs.length} stand in the home`);
  const words = new Set();
  let shape = null;
  await inLanes(
    runs,
    async (run) => {
      const folder = join(home, 'runs', run);
      const events = eventsOf(folder);
      const word = events[0]?.correlation;
      const verdict = await openRecord(folder).verify();
      if (!verdict.verified) fault(`${run} does not verify: ${JSON.stringify(verdict.differences)}`);
      if (events[0]?.run !== run || !started.has(word) || words.has(word)) fault(`${run} is the record of ${events[0]?.run}, of ${word}`);
      words.add(word);
      const here = events.map(({ event, stage, check }) => [event, stage, check].join(' ')).join('\n');
      shape ??= here;
      if (here !== shape) fault(`${run} holds other events than the first run:\n${here}`);
      const foreign = JSON.stringify(events)
        .match(/word-\d+-[0-9a-f]+/g)
        .filter((said) => said !== word);
      if (foreign.length > 0) fault(`${run} speaks of ${foreign[0]}`);
      if (started.get(word)?.out !== `${word} 02-again`) fault(`${run} printed ${started.get(word)?.out}`);
    },
    small ? 1 : undefined,
  );
}
