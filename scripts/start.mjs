#!/usr/bin/env node
// `npm start`: the shipped example, played by its script, with no model and no key. The run stays in your own home of
// runs, so that the commands it names at the end work afterwards.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const example = join(root, 'fixtures/assemblies/examples/triage');
const assembly = existsSync(join(example, 'assembly')) ? join(example, 'assembly') : example;
const command = join(root, 'runtime/bin/flow.mjs');

for (const [needed, how] of [
  [join(root, 'runtime/dist/flow.js'), 'The command is not built. Build it:  npm run build'],
  [example, 'The example is not there.'],
]) {
  if (existsSync(needed)) continue;
  console.error(how);
  process.exit(2);
}

// The stages of the example work in a folder of their own, never in yours.
const tree = await mkdtemp(join(tmpdir(), 'triage-'));
const request = ['request.txt', 'ticket.txt'].map((name) => join(example, name)).find(existsSync);
const args = ['run', assembly, request ? `@${request}` : 'My invoice of May was charged twice. Please help.'];

console.error('A support ticket goes through three stages: classify, draft, verify. A script plays the model.\n');
const code = await flow([...args, '--script', join(example, 'script.jsonl'), '--in', tree]);
await rm(tree, { recursive: true, force: true });
if (code === 0) console.error(next());
process.exitCode = code;

function flow(words) {
  const child = spawn(process.execPath, [command, ...words], { stdio: 'inherit' });
  return new Promise((resolve) => child.on('close', (exit) => resolve(exit ?? 1)));
}

function next() {
  const called = 'node runtime/bin/flow.mjs';
  return `
That was the whole of it: the reply above is what passed the checks. Look closer:
  ${called} show latest      round by round: what was tried, what the checks said
  ${called} verify latest    proof that nothing in the record was changed
  ${called} check ${assembly.replace(`${root}/`, '')}
                                        the plan of the example, stage by stage
Write your own:  README.md, "Five minutes to a first flow".`;
}
