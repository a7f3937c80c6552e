#!/usr/bin/env node
// The agent's bash writes the output; from its last turn to the stage's end the record's own times hold nothing but the seal: the hash
// that the round begins with, the check that there is an output, the copy that is hashed on the way, made durable.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { bench, flow, flowPeak, interleaved, median } from '../lib/bench.mjs';
import { at, makeAssembly, newestRecord, stageNames } from '../lib/bench-assembly.mjs';

const gibibyte = 1024 ** 3;
const rounds = 5;

await bench({
  name: '[Q-6] sealing an output of 1 GiB, against openssl dgst -sha256 twice and cp',
  async measure(scratch) {
    const assembly = await makeAssembly(join(scratch, 'large'), { stages: 1 });
    const source = join(scratch, 'source');
    run('dd', ['if=/dev/urandom', `of=${source}`, 'bs=1M', 'count=1024', 'conv=fsync', 'status=none'], scratch);
    const large = scriptOf(`cat ${source} > "$OUTPUT"`, join(scratch, 'large.jsonl'));
    const small = scriptOf('printf x > "$OUTPUT"', join(scratch, 'small.jsonl'));
    const args = (script) => ['run', '--script', script, assembly, 'go'];
    const times = await interleaved(
      {
        seal: () => sealOf(args(large), scratch),
        command: () => byHand(source, scratch, false),
        durable: () => byHand(source, scratch, true),
      },
      rounds,
    );
    const growth = flowPeak(args(large), scratch) - flowPeak(args(small), scratch);
    const [seal, command, durable] = [median(times.seal), median(times.command), median(times.durable)];
    return {
      figures: [
        { name: 'the seal', value: seal / command, unit: '×', target: 1.15 },
        { name: 'the seal, against the same with the copy synced, as the seal’s is', value: seal / durable, unit: '×' },
        { name: 'largest resident set beyond that of an output of one byte', value: growth, unit: ' MiB', target: 64 },
      ],
      beside: `openssl twice and cp ${seconds(command)}, with sync ${seconds(durable)}, the seal ${seconds(seal)}; ${rounds} rounds in turn`,
      remark:
        'The time from the last turn to the end of the stage, by the record: nothing but the seal lies there. The manifest hashes every file once more when the run ends; that is not in it.',
    };
  },
});

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

function scriptOf(command, file) {
  const [stage] = stageNames(1);
  const turns = [
    { stage, calls: [{ tool: 'bash', input: { command } }] },
    { stage, text: 'Done.' },
  ];
  writeFileSync(file, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
  return file;
}

/** Milliseconds from the last turn to the end of the stage. The run is removed, for the disk's sake. */
async function sealOf(args, scratch) {
  flow(args, scratch);
  const home = join(scratch, 'home');
  const record = await newestRecord(home);
  const end = record.find(({ event }) => event === 'stage_end');
  if (end.output?.bytes !== gibibyte) throw new Error(`sealed ${end.output?.bytes} bytes`);
  rmSync(join(home, 'runs'), { recursive: true });
  return at(end) - at(record.filter(({ event }) => event === 'turn').at(-1));
}

function byHand(source, scratch, durable) {
  const copy = join(scratch, 'copy');
  const began = performance.now();
  run('openssl', ['dgst', '-sha256', source], scratch);
  run('cp', [source, copy], scratch);
  if (durable) run('sync', [copy], scratch);
  run('openssl', ['dgst', '-sha256', copy], scratch);
  const took = performance.now() - began;
  rmSync(copy);
  return took;
}

function run(command, args, cwd) {
  const { status, stderr, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
