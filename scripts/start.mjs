#!/usr/bin/env node
// `npm start [-- NAME]`: a shipped example, played by its script, with no model and no key. The run stays in your own home of
// runs, so that the commands it names at the end work afterwards.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const name = process.argv[2] ?? 'triage';
const example = join(root, 'fixtures/assemblies/examples', name);
const assembly = join(example, 'assembly');
const command = join(root, 'runtime/bin/flow.mjs');

for (const [needed, how] of [
  [join(root, 'runtime/dist/flow.js'), 'The command is not built. Build it:  npm run build'],
  [assembly, `There is no example "${name}" in fixtures/assemblies/examples.`],
]) {
  if (existsSync(needed)) continue;
  console.error(how);
  process.exit(2);
}

// The stages of the example work in a folder of their own, never in yours.
const tree = await mkdtemp(join(tmpdir(), `${name}-`));
const request = (await readdir(example)).find((file) => file.endsWith('.txt'));
const args = ['run', assembly, request ? `@${join(example, request)}` : '--no-request'];

console.error(`The example "${name}": a script plays the model, everything else is as it always is.\n`);
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
