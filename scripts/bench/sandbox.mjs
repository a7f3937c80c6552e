#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { bench, flow, interleaved, median } from '../lib/bench.mjs';
import { at, makeAssembly, newestRecord, stageNames } from '../lib/bench-assembly.mjs';

const commands = 60;
const bwrap = ['--unshare-pid', '--unshare-net', '--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];

if (spawnSync('bwrap', [...bwrap, 'true']).status !== 0) {
  console.error('bubblewrap is needed: apt-get install bubblewrap');
  process.exit(2);
}

await bench({
  name: '[I-13] one command of an agent in a sandbox, against a bare spawn of bash',
  async measure(scratch) {
    const assembly = await makeAssembly(join(scratch, 'contained'), { stages: 1 });
    const script = await makeCommands(join(scratch, 'contained.jsonl'));
    const inFlow = (...words) => commandsOfRun(['run', ...words, '--script', script, assembly, 'go'], scratch);
    const times = await interleaved(
      {
        spawn: () => bareCommands('bash', ['-c', 'true']),
        bwrap: () => bareCommands('bwrap', [...bwrap, 'bash', '-c', 'true']),
        flow: () => inFlow(),
        sandbox: () => inFlow('--sandbox'),
      },
      5,
    );
    const [bare, alone, plain, contained] = ['spawn', 'bwrap', 'flow', 'sandbox'].map((name) => median(times[name]));
    return {
      figures: [
        { name: `a contained command, ${commands} in a row`, value: contained / bare, unit: '×' },
        { name: 'against bubblewrap alone', value: contained / alone, unit: '×' },
        { name: 'what the sandbox adds to a command', value: contained - plain, unit: ' ms' },
      ],
      beside: `bash ${bare.toFixed(1)} ms, bubblewrap with bash ${alone.toFixed(1)} ms; in flow ${plain.toFixed(1)} ms, with --sandbox ${contained.toFixed(1)} ms; 5 rounds in turn`,
    };
  },
});

async function makeCommands(file) {
  const [stage] = stageNames(1);
  const turns = Array.from({ length: commands }, () => ({ stage, calls: [{ tool: 'bash', input: { command: 'true' } }] }));
  const last = [
    { stage, calls: [{ tool: 'write', input: { path: '$OUTPUT', content: 'x' } }] },
    { stage, text: 'Done.' },
  ];
  await writeFile(file, [...turns, ...last].map((each) => `${JSON.stringify(each)}\n`).join(''));
  return file;
}

/** Milliseconds a command, from the first result to the last: the session has the time of each. */
async function commandsOfRun(words, scratch) {
  flow(words, scratch);
  const [{ run }] = await newestRecord(join(scratch, 'home'));
  const folder = join(scratch, 'home/runs', run, 'stages', stageNames(1)[0], '1');
  const session = (await readFile(join(folder, 'session.jsonl'), 'utf8')).trimEnd().split('\n');
  const results = session.map((line) => JSON.parse(line)).filter(({ kind, results }) => kind === 'tool' && results[0].tool === 'bash');
  if (results.length !== commands) throw new Error(`${results.length} of ${commands} commands ran`);
  return (at(results.at(-1)) - at(results[0])) / (commands - 1);
}

async function bareCommands(file, words) {
  const began = performance.now();
  for (let n = 0; n < commands; n++) await new Promise((done) => spawn(file, words, { stdio: 'ignore' }).on('close', done));
  return (performance.now() - began) / commands;
}
