#!/usr/bin/env node
// Measured by the record: from fanout_start to fanout_done. Starting node and sealing the run are not in it.
import { join } from 'node:path';
import { bench, flow, interleaved, median } from '../lib/bench.mjs';
import { at, newestRecord } from '../lib/bench-assembly.mjs';
import { makeFanout } from '../lib/bench-graph.mjs';

const rounds = 3;
const items = 1000;
const width = 32;
const ms = 50;
const ideal = (items * ms) / width;

await bench({
  name: `[Q-8] FANOUT of ${items} items, width ${width}, ${ms} ms each`,
  async measure(scratch) {
    const { waiting, instant } = await interleaved({ waiting: await took(scratch, ms), instant: await took(scratch, 0) }, rounds);
    return {
      figures: [
        { name: 'against the ideal', value: median(waiting) / ideal, unit: '×', target: 1.25 },
        { name: 'a child run whose model answers at once', value: median(instant) / items, unit: ' ms' },
      ],
      beside: `the ideal is ${ideal} ms, it took ${median(waiting).toFixed(0)} ms; ${rounds} rounds in turn, from fanout_start to fanout_done`,
    };
  },
});

async function took(scratch, each) {
  const { assembly, script } = await makeFanout(join(scratch, `at-${each}`), { items, width, ms: each });
  return async () => {
    flow(['run', '--script', script, assembly, 'go'], scratch);
    const record = await newestRecord(join(scratch, 'home'));
    const [start, done] = ['fanout_start', 'fanout_done'].map((name) => record.find(({ event }) => event === name));
    if (done?.cause !== 'success') throw new Error(`the fan-out ended with ${done?.cause}`);
    return at(done) - at(start);
  };
}
