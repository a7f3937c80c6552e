#!/usr/bin/env node
// `npm start`: the shipped example, played by its script, with no model and no key. The run is kept in your own home of
// runs, so that the commands it names at the end work afterwards; what its hooks write stays in a scratch folder.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { root } from './lib/root.mjs';

const example = join(root, 'fixtures/assemblies/examples/triage');
const command = join(root, 'runtime/bin/flow.mjs');
const script = join(example, 'script.jsonl');

// A reader that went away, as in `npm start | head -1`, is no failure of the run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.exitCode = await start();

async function start() {
  if (!existsSync(join(root, 'runtime/dist/flow.js'))) {
    console.error('The command is not built. Build it:  npm run build');
    return 2;
  }
  const tree = await mkdtemp(join(tmpdir(), 'triage-'));
  console.error('A support ticket goes through three stages: classify, draft, verify. A script plays the model.\n');
  const words = ['run', join(example, 'assembly'), `@${join(example, 'ticket.txt')}`, '--script', script, '--in', tree];
  const code = await flow(words);
  if (code === 0) console.error(whatNow(tree));
  return code;
}

/** Resolves to the exit code. Signals are the run's to answer: a terminal sends Ctrl-C to both, other signals are passed on. */
function flow(words) {
  const child = spawn(process.execPath, [command, ...words], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('close', (exit) => resolve(exit ?? 1)));
}

function whatNow(tree) {
  const called = inside(process.env.INIT_CWD ?? process.cwd()) ? 'npx flow' : `node ${command}`;
  return `
The letter above is the output; everything else went to standard error. A schema, a checklist and a gate each said no
on the way, and the agent went on in the same session. The last stage's success hook put a copy here:
  cat ${join(tree, 'outbox.txt')}

Look closer (what is called flow above is "${called}" here):
  ${called} show latest               round by round
  ${called} session latest 03-verify  what the agent was told, word for word
  ${called} verify latest             proof that nothing in the record was changed
  ${called} check ${here('fixtures/assemblies/examples/triage/assembly')} --rehearse

The files of the example:  ${here('fixtures/assemblies/examples/triage')}
Write your own:            ${here('README.md')}, "Five minutes to a first flow"`;
}

function inside(folder) {
  return folder === root || folder.startsWith(root + sep);
}

/** A path as it is typed where npm was called. */
function here(path) {
  const full = join(root, path);
  const short = relative(process.env.INIT_CWD ?? process.cwd(), full);
  return short.startsWith('..') ? full : short;
}
