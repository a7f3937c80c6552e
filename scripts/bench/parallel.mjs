#!/usr/bin/env node
// Measured by the record: from the first branch's stage_start to parallel_done. Starting node and copying the assembly are not in it.
import { join } from 'node:path';
import { bench, flow, interleaved, median } from '../lib/bench.mjs';
import { at, newestRecord } from '../lib/bench-assembly.mjs';
import { makeParallel } from '../lib/bench-graph.mjs';

const rounds = 9;
const branches = 32;
const ms = 200;

await bench({
  name: `[Q-7] PARALLEL of ${branches} scripted branches at ${ms} ms`,
  async measure(scratch) {
    const times = await interleaved({ all: await tookAll(scratch, branches), one: await tookAll(scratch, 2) }, rounds);
    const all = median(times.all);
    return {
      figures: [
        { name: 'against the ideal', value: all / ms, unit: '×', target: 1.1 },
        { name: 'what each branch adds', value: (all - median(times.one)) / (branches - 2), unit: ' ms' },
      ],
      beside: `the ideal is ${ms} ms; 2 branches took ${median(times.one).toFixed(0)} ms, ${branches} took ${all.toFixed(0)} ms; ${rounds} rounds in turn, from the first stage_start to parallel_done`,
    };
  },
});

async function tookAll(scratch, count) {
  const { assembly, script } = await makeParallel(join(scratch, `of-${count}`), { branches: count, ms });
  return async () => {
    flow(['run', '--script', script, assembly, 'go'], scratch);
    const record = await newestRecord(join(scratch, 'home'));
    const done = record.find(({ event }) => event === 'parallel_done');
    if (done?.concurrent !== count) throw new Error(`${done?.concurrent} of ${count} branches were under way at once`);
    return at(done) - at(record.find(({ event }) => event === 'stage_start'));
  };
}
