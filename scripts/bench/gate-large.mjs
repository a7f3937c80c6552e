#!/usr/bin/env node
// From gate_start to the gate's verdict in the record: started, 16 MiB captured, hashed, judged.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { bench, flow, flowPeak, interleaved, median } from '../lib/bench.mjs';
import { at, makeAssembly, newestRecord, stageNames } from '../lib/bench-assembly.mjs';

const rounds = 9;
const gates = 20;

await bench({
  name: '[Q-11] a gate that prints 16 MiB, against cat of the same to a file',
  async measure(scratch) {
    const printed = join(scratch, 'printed.txt');
    await writeFile(printed, 'a line of forty bytes, as a tool says it\n'.repeat(420_000).slice(0, 16 * 1024 * 1024));
    const loud = await gated('loud', `exec cat ${printed}`, scratch);
    const quiet = await gated('quiet', 'exit 0', scratch);
    const times = await interleaved({ flow: () => gatesOf(loud, scratch), cat: () => catsOf(loud.files, scratch) }, rounds);
    const failing = await gated('failing', `cat ${printed}; exit 1`, scratch, 1);
    const calm = await gated('calm', 'exit 1', scratch, 1);
    const passes = flowPeak(loud.args, scratch) - flowPeak(quiet.args, scratch);
    const fails = flowPeak(failing.args, scratch, 1) - flowPeak(calm.args, scratch, 1);
    return {
      figures: [
        { name: 'a gate', value: median(times.flow) / median(times.cat), unit: '×', target: 1.5 },
        { name: `largest resident set of ${gates} that pass, beyond that of silent ones`, value: passes, unit: ' MiB', target: 48 },
        { name: 'of three rounds that fail, beyond that of silent ones', value: fails, unit: ' MiB', target: 48 },
      ],
      beside: `cat from the same script to a file ${median(times.cat).toFixed(1)} ms, the gate ${median(times.flow).toFixed(1)} ms; ${rounds} rounds of ${gates} in turn`,
      remark:
        'What a gate printed is hashed once it is over: hashing what a program may still cut off or write over would vouch for other bytes than those kept. cat alone hashes nothing.',
    };
  },
});

/** An assembly of one stage with gates of this body, and how to run it. A stage whose only gate fails works three rounds. */
async function gated(name, body, scratch, count = gates) {
  const [stage] = stageNames(1);
  const assembly = await makeAssembly(join(scratch, name), { stages: 1, schema: true });
  const folder = join(assembly, 'flows/bench', stage);
  await writeFile(join(folder, 'schema.json'), 'true\n');
  await mkdir(join(folder, 'gate'));
  const files = Array.from({ length: count }, (_, n) => join(folder, 'gate', `${String(n).padStart(2, '0')}.sh`));
  for (const file of files) await writeFile(file, `#!/bin/sh\n${body}\n`).then(() => chmod(file, 0o755));
  const script = join(scratch, `${name}.jsonl`);
  const write = { stage, calls: [{ tool: 'write', input: { path: '$OUTPUT', content: '"x"' } }] };
  const turns = [write, ...Array.from({ length: 3 }, () => ({ stage, text: 'Done.' }))];
  await writeFile(script, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  return { files, args: ['run', '--script', script, assembly, 'go'] };
}

/** Milliseconds a gate. */
async function gatesOf({ args }, scratch) {
  flow(args, scratch);
  const record = await newestRecord(join(scratch, 'home'));
  const verdicts = record.filter(({ event, check }) => event === 'check' && check === 'gate');
  if (verdicts.length !== gates) throw new Error(`${verdicts.length} of ${gates} gates judged`);
  return (at(verdicts.at(-1)) - at(record.find(({ event }) => event === 'gate_start'))) / gates;
}

async function catsOf(files, scratch) {
  const began = performance.now();
  for (const [n, file] of files.entries()) {
    const capture = openSync(join(scratch, `cat-${n}.txt`), 'w');
    await new Promise((done) => spawn(file, ['output'], { stdio: ['ignore', capture, capture] }).on('close', done));
    closeSync(capture);
  }
  return (performance.now() - began) / files.length;
}
