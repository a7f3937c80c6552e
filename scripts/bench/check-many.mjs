#!/usr/bin/env node
import { join } from 'node:path';
import { bench, flow, interleaved, median } from '../lib/bench.mjs';
import { makeAssembly } from '../lib/bench-assembly.mjs';

await bench({
  name: '[Q-5] flow check of 10,000 stages against 100, a stage',
  async measure(scratch) {
    const contenders = {};
    for (const count of [1, 100, 10_000]) {
      const assembly = await makeAssembly(join(scratch, `of-${count}`), { stages: count });
      contenders[count] = () => flow(['check', assembly], scratch);
    }
    const times = await interleaved(contenders, 7);
    // What starting costs is in the check of one stage.
    const perStage = (count) => (median(times[count]) - median(times[1])) / (count - 1);
    return {
      figures: [
        { name: 'a stage of 10,000', value: perStage(10_000), unit: ' ms', target: 0.25 },
        { name: 'against a stage of 100', value: perStage(10_000) / perStage(100), unit: '×', target: 1.2 },
      ],
      beside: `a stage of 100 ${perStage(100).toFixed(3)} ms, flow check of one stage ${median(times[1]).toFixed(0)} ms; 7 rounds in turn`,
    };
  },
});
