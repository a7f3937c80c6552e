#!/usr/bin/env node
//   node scripts/bench/contract.mjs [LINES]      a million when nothing is said
import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { bench, interleaved, median } from '../lib/bench.mjs';
import { root } from '../lib/root.mjs';

const lines = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 1_000_000);
/** Where the heap has settled, more lines take no more memory: ten times as many from the start would measure how it settles. */
const LONGER = 3;
const command = join(root, 'packages/contract/bin/agentcontract.mjs');
const patterns = [
  String.raw`\d{4}[- ]\d{4}[- ]\d{4}[- ]\d{4}`,
  '(?i)password:',
  String.raw`[\w.]+@example\.org`,
  'BEGIN [A-Z]+ KEY',
  String.raw`sk-[a-z0-9]{20}`,
  'guaranteed refund',
  String.raw`\bDROP TABLE\b`,
  String.raw`https?://10\.`,
  '(?i)internal only',
  String.raw`[A-Z]{2}\d{6}[A-D]`,
];
const engine = createRequire(join(root, 'packages/patterns/package.json'))
  .resolve('re2js')
  .replace(/index\.\w+$/, 'index.js');

/** The least that could do the same: lines, JSON, ten tests by the same engine. Prints its largest resident size. */
const bareLoop = `
import { createReadStream } from 'node:fs';
import { RE2JS } from ${JSON.stringify(engine)};
const tests = ${JSON.stringify(patterns)}.map((source) => RE2JS.compile(source));
let rest = '', found = 0, runs = 0;
for await (const chunk of createReadStream(process.argv[1], { encoding: 'utf8', highWaterMark: 1 << 20 })) {
  const parts = (rest + chunk).split('\\n');
  rest = parts.pop();
  for (const line of parts) {
    const { output } = JSON.parse(line);
    runs += 1;
    for (const test of tests) if (test.test(output)) found += 1;
  }
}
if (runs !== ${lines}) throw new Error(runs + ' runs');
`;

await bench({
  name: '[Q-10] agentcontract validate of a log, 10 patterns, against the bare loop with the same engine',
  async measure(scratch) {
    const log = join(scratch, 'log.jsonl');
    await writeLog(log, lines);
    const longer = join(scratch, 'longer.jsonl');
    await writeLog(longer, lines * LONGER);
    await writeFile(join(scratch, 'c.contract.yaml'), contractText());
    const validate = (file) => run([command, 'validate', 'c.contract.yaml', file, '--no-judge'], scratch);
    const bare = join(scratch, 'bare.mjs');
    await writeFile(bare, bareLoop.replace('process.argv[1]', 'process.argv[2]'));
    const memory = { usual: 0, longer: 0 };
    const contenders = {
      validate: () => void (memory.usual = Math.max(memory.usual, validate(log))),
      bare: () => void run([bare, log], scratch),
    };
    const times = await interleaved(contenders, 3);
    memory.longer = validate(longer);
    const share = (median(times.bare) / median(times.validate)) * 100;
    const grown = memory.longer - memory.usual;
    return {
      figures: [
        // A value is good when it is at most its target: 60 % of the speed is 1.67 times the time.
        {
          name: `the time of ${lines.toLocaleString('en')} lines against the bare loop`,
          value: median(times.validate) / median(times.bare),
          unit: '×',
          target: 1.67,
        },
        { name: `more memory for ${LONGER} times the lines`, value: Math.max(0, grown), unit: ' MiB', target: 32 },
      ],
      beside: `${share.toFixed(0)} % of the bare loop's speed; ${(median(times.validate) / 1000).toFixed(1)} s against ${(median(times.bare) / 1000).toFixed(1)} s; at most ${memory.usual} MiB resident; 3 rounds in turn`,
    };
  },
});

function contractText() {
  const head = 'agent: bench\nspec-version: 0.1.0\nversion: 1.0.0\nassert:\n';
  return head + patterns.map((source, n) => `  - {name: p${n}, type: pattern, must_not_match: ${JSON.stringify(source)}}\n`).join('');
}

async function writeLog(file, count) {
  const stream = createWriteStream(file);
  const words = 'the order has left our house this morning and should arrive within two days at the address you gave us'.split(' ');
  for (let n = 0; n < count; n++) {
    const output = `${words.slice(n % 7).join(' ')} (${n})`;
    const line = JSON.stringify({
      input: `Where is order ${n}?`,
      output,
      tool_calls: ['find_order'],
      duration_ms: n % 3000,
      cost_usd: 0.002,
    });
    if (!stream.write(`${line}\n`)) await new Promise((resolve) => stream.once('drain', resolve));
  }
  stream.end();
  await finished(stream);
}

/** Runs node; the largest resident size in MiB. */
function run(args, cwd) {
  const report = `process.on('exit', () => process.stderr.write('\\nmaxrss ' + process.resourceUsage().maxRSS));`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, ...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`exit ${status}\n${stderr}`);
  return Math.round(Number(/maxrss (\d+)$/.exec(stderr)?.[1]) / 1024);
}
