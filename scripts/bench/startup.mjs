#!/usr/bin/env node
import { bareNode, bench, flow, interleaved, median } from '../lib/bench.mjs';

await bench({
  name: '[Q-1] cold flow --version against node -e 0',
  async measure(scratch) {
    const times = await interleaved({ flow: () => flow(['--version'], scratch), node: bareNode }, 40);
    return {
      figures: [{ name: 'flow --version', value: median(times.flow) / median(times.node), unit: '×', target: 1.25 }],
      beside: `node -e 0 ${median(times.node).toFixed(1)} ms, 40 rounds in turn`,
    };
  },
});
