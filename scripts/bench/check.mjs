#!/usr/bin/env node
import { join } from 'node:path';
import { bareNode, bench, flow, interleaved, median } from '../lib/bench.mjs';
import { makeAssembly } from '../lib/bench-assembly.mjs';

await bench({
  name: '[Q-2] cold flow check of three stages against node -e 0',
  async measure(scratch) {
    const plain = await makeAssembly(join(scratch, 'plain'), { stages: 3 });
    const schema = await makeAssembly(join(scratch, 'schema'), { stages: 3, schema: true });
    const contenders = { plain: () => flow(['check', plain], scratch), schema: () => flow(['check', schema], scratch), node: bareNode };
    const times = await interleaved(contenders, 30);
    return {
      figures: [
        { name: 'three stages', value: median(times.plain) / median(times.node), unit: '×', target: 2.5 },
        { name: 'with a schema.json each', value: median(times.schema) / median(times.node), unit: '×', target: 3.2 },
      ],
      beside: `node -e 0 ${median(times.node).toFixed(1)} ms, 30 rounds in turn`,
    };
  },
});
