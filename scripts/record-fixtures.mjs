#!/usr/bin/env node
// Makes the run folders of fixtures/records/v1/ that are not there yet, by real runs of the triage example. What is there is frozen.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const target = join(root, 'fixtures/records/v1');
const example = join(root, 'fixtures/assemblies/examples/triage');
const scratch = join(tmpdir(), 'reader');

/** The last output of a run, for the folder that is altered. */
const OUTPUT = 'stages/03-verify/1';

const made = {
  success: () => run('script.jsonl'),
  exhausted: () => run('gives-up.jsonl'),
  async torn() {
    const folder = await run('stops.jsonl', (child) => setTimeout(() => child.kill('SIGKILL'), 2_500));
    truncateSync(join(folder, 'record.jsonl'), statSync(join(folder, 'record.jsonl')).size - 40);
    return folder;
  },
  async altered() {
    const folder = await run('script.jsonl');
    const attempt = readdirSync(join(folder, OUTPUT))
      .filter((name) => /^\d+$/.test(name))
      .at(-1);
    const file = join(
      folder,
      OUTPUT,
      attempt,
      readdirSync(join(folder, OUTPUT, attempt)).find((name) => name.startsWith('output.')),
    );
    writeFileSync(file, readFileSync(file, 'utf8').replace('full', 'half'));
    return folder;
  },
};

for (const [name, make] of Object.entries(made)) {
  if (existsSync(join(target, name))) continue;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(join(scratch, 'work'), { recursive: true });
  cpSync(example, join(scratch, 'triage'), { recursive: true });
  const lines = readFileSync(join(example, 'script.jsonl'), 'utf8').trimEnd().split('\n');
  const stopped = JSON.stringify({ stage: '02-draft', text: 'thinking', delay_ms: 60_000 });
  writeFileSync(join(scratch, 'triage/stops.jsonl'), [...lines.filter((line) => line.includes('"01-classify"')), stopped].join('\n'));
  cpSync(await make(), join(target, name), { recursive: true });
  console.log(`${name} made`);
}
rmSync(scratch, { recursive: true, force: true });

/** Runs the example from a home of its own and answers the run's folder. */
async function run(script, meet = () => {}) {
  const words = ['run', '../triage/assembly', '@../triage/ticket.txt', '--script', `../triage/${script}`, '--quiet'];
  const env = { PATH: process.env.PATH, HOME: scratch, FLOW_HOME: join(scratch, 'home') };
  const child = spawn(join(root, 'node_modules/.bin/flow'), words, { cwd: join(scratch, 'work'), env, stdio: 'ignore' });
  meet(child);
  await new Promise((resolve) => child.on('close', resolve));
  const runs = join(scratch, 'home/runs');
  const [name] = readdirSync(runs).filter((one) => statSync(join(runs, one)).isDirectory());
  return join(runs, name);
}
