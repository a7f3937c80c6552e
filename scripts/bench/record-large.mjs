#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bench, flow, flowPeak, interleaved, median } from '../lib/bench.mjs';
import { makeRecord } from '../lib/bench-record.mjs';
import { root } from '../lib/root.mjs';

const rounds = 3;

await bench({
  name: '[Q-9] show and verify on a record of 1,000,000 events, against lines split, parsed and hashed',
  async measure(scratch) {
    const few = await shape('1,000 stages', { stages: 1_000, eventsOf: 1_000 }, scratch);
    const many = await shape('100,000 stages', { stages: 100_000, eventsOf: 10 }, scratch);
    return {
      figures: [...few.figures, ...many.figures],
      beside: `${few.beside}; ${many.beside}; ${rounds} rounds in turn`,
      remark: 'events prints every line, which the bare loop does not. The second shape holds 200,000 files beside its record.',
    };
  },
});

async function shape(name, size, scratch) {
  const run = join(scratch, `of-${size.stages}`);
  makeRecord(run, size);
  const commands = { show: ['show', run], verify: ['verify', run], events: ['events', run] };
  const contenders = { bare: () => bare(run), files: () => hashFiles(run) };
  for (const [command, args] of Object.entries(commands)) contenders[command] = () => flow(args, scratch);
  const times = await interleaved(contenders, rounds);
  const [line, files] = [median(times.bare), median(times.files)];
  const speed = (command, least) => ({ name: `${name}: ${command}`, value: (100 * least) / median(times[command]), unit: ' %' });
  const peak = (command) => ({
    name: `${name}: ${command}, largest resident set`,
    value: flowPeak(commands[command], scratch),
    unit: ' MiB',
  });
  return {
    figures: [
      { ...speed('show', line), target: 60, least: true },
      { ...peak('show'), target: 200 },
      { ...speed('verify', line + files), target: 60, least: true },
      { ...peak('verify'), target: 200 },
      speed('events', line),
      { ...peak('events'), target: 200 },
    ],
    beside: `${name}: the bare loop ${(line / 1000).toFixed(1)} s, and for verify ${(files / 1000).toFixed(1)} s of sha256sum over the other files`,
  };
}

function bare(run) {
  succeeded(spawnSync(process.execPath, [join(root, 'scripts/lib/bench-bare-record.mjs'), join(run, 'record.jsonl')], { stdio: 'ignore' }));
}

/** The manifest's files are a part of what verify reads. */
function hashFiles(run) {
  succeeded(spawnSync('sha256sum', ['--check', '--quiet', 'manifest.sha256'], { cwd: run, stdio: 'ignore' }));
}

function succeeded({ status }) {
  if (status !== 0) throw new Error(`what runs beside it ended with ${status}`);
}
