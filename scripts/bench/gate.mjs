#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { bench, flow, interleaved, median } from '../lib/bench.mjs';
import { at, makeAssembly, makeScript, newestRecord, stageNames } from '../lib/bench-assembly.mjs';

const gates = 200;

await bench({
  name: '[Q-4] one gate of exit 0, hashed, captured and recorded, against a bare spawn of it',
  async measure(scratch) {
    const assembly = await makeAssembly(join(scratch, 'gated'), { stages: 1, schema: true });
    const [stage] = stageNames(1);
    const folder = join(assembly, 'flows/bench', stage, 'gate');
    const script = await makeScript(join(scratch, 'gated.jsonl'), 1);
    await writeFile(join(assembly, 'flows/bench', stage, 'schema.json'), 'true\n');
    await writeFile(script, (await makeLetterJson(stage)).join(''));
    await mkdir(folder);
    const files = Array.from({ length: gates }, (_, index) => join(folder, `${String(index).padStart(3, '0')}.sh`));
    for (const file of files) await writeFile(file, '#!/bin/sh\nexit 0\n').then(() => chmod(file, 0o755));
    const times = await interleaved({ flow: () => gatesOfRun(assembly, script, scratch), spawn: () => bareGates(files) }, 7);
    return {
      figures: [{ name: `a gate, ${gates} in a row`, value: median(times.flow) / median(times.spawn), unit: '×', target: 1.6 }],
      beside: `bare spawn ${median(times.spawn).toFixed(2)} ms, in flow ${median(times.flow).toFixed(2)} ms; 7 rounds in turn`,
    };
  },
});

async function makeLetterJson(stage) {
  const calls = [{ tool: 'write', input: { path: '$OUTPUT', content: '"x"' } }];
  return [
    { stage, calls },
    { stage, text: 'Done.' },
  ].map((each) => `${JSON.stringify(each)}\n`);
}

/** Milliseconds a gate, from the start of the first to the verdict of the last. */
async function gatesOfRun(assembly, script, scratch) {
  flow(['run', '--script', script, assembly, 'go'], scratch);
  const record = await newestRecord(join(scratch, 'home'));
  const first = record.find(({ event }) => event === 'gate_start');
  const verdicts = record.filter(({ event, check }) => event === 'check' && check === 'gate');
  if (verdicts.length !== gates) throw new Error(`${verdicts.length} of ${gates} gates judged`);
  return (at(verdicts.at(-1)) - at(first)) / gates;
}

async function bareGates(files) {
  const began = performance.now();
  for (const file of files) await new Promise((done) => spawn(file, ['output'], { stdio: 'ignore' }).on('close', done));
  return (performance.now() - began) / files.length;
}
