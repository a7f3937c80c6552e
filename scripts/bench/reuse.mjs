#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { bench, flow, interleaved, median } from '../lib/bench.mjs';
import { makeAssembly } from '../lib/bench-assembly.mjs';

const FILES = 10_000;

await bench({
  name: '[G-12] a run with --reuse in a working tree of 10,000 files',
  async measure(scratch) {
    const assembly = await makeAssembly(join(scratch, 'assembly'), { stages: 1 });
    const [small, large] = [join(scratch, 'small'), join(scratch, 'large')];
    await mkdir(small);
    await makeTree(large);
    let request = 0;
    const run = (tree, ...words) => flow(['run', assembly, '--rehearse', '--quiet', '--in', tree, ...words], scratch);
    run(large, 'the same', '--reuse');
    const times = await interleaved(
      {
        plain: () => run(large, String((request += 1))),
        empty: () => run(small, String((request += 1)), '--reuse'),
        noted: () => run(large, String((request += 1)), '--reuse'),
        reused: () => run(large, 'the same', '--reuse'),
        hashed: () => hashAll(large),
      },
      7,
    );
    const cost = (name) => median(times[name]) - median(times.plain);
    return {
      figures: [
        { name: 'what it costs to leave work for later', value: cost('noted'), unit: ' ms' },
        { name: 'the same in an empty tree', value: cost('empty'), unit: ' ms' },
        { name: 'what it costs to take work over', value: cost('reused'), unit: ' ms' },
        { name: 'to leave work, against sha256sum of all files', value: cost('noted') / median(times.hashed), unit: '×' },
      ],
      beside: `without --reuse ${median(times.plain).toFixed(0)} ms, sha256sum ${median(times.hashed).toFixed(0)} ms; 7 rounds in turn`,
    };
  },
});

async function makeTree(folder) {
  for (let n = 0; n < FILES; n += 1) {
    const below = join(folder, `folder-${n % 100}`);
    if (n < 100) await mkdir(below, { recursive: true });
    await writeFile(join(below, `file-${n}.ts`), `export const value = ${n};\n`.repeat(120));
  }
}

function hashAll(folder) {
  const began = performance.now();
  spawnSync('sh', ['-c', 'find . -type f -print0 | xargs -0 sha256sum > /dev/null'], { cwd: folder });
  return performance.now() - began;
}
