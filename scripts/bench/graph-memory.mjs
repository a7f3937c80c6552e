#!/usr/bin/env node
// The resident set is looked at twenty times a second. What it is while the 100th to the 200th end is set against the 900th to the 1,000th:
// medians, since the collector of garbage comes when it likes.
import { join } from 'node:path';
import { bench, flowResident, median } from '../lib/bench.mjs';
import { at, makeAssembly, makeScript, newestRecord } from '../lib/bench-assembly.mjs';
import { makeFanout } from '../lib/bench-graph.mjs';

const count = 1000;

await bench({
  name: `[G-1] memory while ${count} stages of one flow, and ${count} children of a fan-out, come and go`,
  async measure(scratch) {
    const stages = await grown(scratch, 'stage_end', {
      assembly: await makeAssembly(join(scratch, 'stages'), { stages: count }),
      script: await makeScript(join(scratch, 'stages.jsonl'), count),
    });
    const children = await grown(scratch, 'subflow_call', await makeFanout(join(scratch, 'fanout'), { items: count, width: 32, ms: 0 }));
    return {
      figures: [
        { name: 'growth from the 100th stage to the 1,000th', value: stages.growth, unit: ' MiB' },
        { name: 'growth from the 100th child to the 1,000th', value: children.growth, unit: ' MiB' },
      ],
      beside: `resident at the 100th: ${stages.early.toFixed(0)} and ${children.early.toFixed(0)} MiB`,
    };
  },
});

async function grown(scratch, event, { assembly, script }) {
  const resident = flowResident(['run', '--script', script, assembly, 'go'], scratch);
  const ends = (await newestRecord(join(scratch, 'home'))).filter((one) => one.event === event).map(at);
  const during = (from, to) => {
    const inside = resident.filter(({ time }) => time >= ends[from - 1] && time <= ends[to - 1]);
    if (inside.length === 0) throw new Error(`nothing was measured between ${event} ${from} and ${to}`);
    return median(inside.map(({ mebibytes }) => mebibytes));
  };
  const early = during(100, 200);
  return { early, growth: during(900, count) - early };
}
