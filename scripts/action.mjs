#!/usr/bin/env node
// The step of action.yml: runs one command and ends as it did. flow annotates and summarises by itself; for agentcontract it is done here.
import { spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const {
  INPUT_COMMAND: name = '',
  INPUT_ARGS: given = '',
  INPUT_WORKING_DIRECTORY: cwd = '.',
  GITHUB_STEP_SUMMARY: summary,
  GITHUB_OUTPUT: outputs,
} = process.env;
const flow = join(root, 'runtime/bin/flow.mjs');
const agentcontract = join(root, 'packages/contract/bin/agentcontract.mjs');
/** One a line: nothing is ever read by a shell. */
const args = given
  .split('\n')
  .map((line) => line.trim())
  .filter(Boolean);
const commands = {
  validate: [agentcontract, 'validate', ...args, ...(args.some((arg) => /^--format(=|$)/.test(arg)) ? [] : ['--format', 'github'])],
  check: [flow, 'check', ...args],
  run: [flow, 'run', ...args],
};
const SHOWN = 60_000;

if (!Object.hasOwn(commands, name)) {
  console.log(
    `::error::The input "command" is ${Object.keys(commands).join(', ')}, and not ${JSON.stringify(name).replaceAll('%', '%25')}.`,
  );
  process.exit(2);
}
const { code, text } = await run(commands[name]);
if (summary && name === 'validate') await appendFile(summary, `### agentcontract validate: exit ${code}\n\n${fenced(shown(text))}\n`);
if (outputs) await appendFile(outputs, `exit-code=${code}\n`);
process.exitCode = code;

function run([script, ...words]) {
  const child = spawn(process.execPath, [script, ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GITHUB_ACTIONS: 'true' },
  });
  let text = '';
  for (const [stream, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    stream.on('data', (part) => to.write(part));
    const letters = new TextDecoder();
    stream.on('data', (part) => {
      const more = letters.decode(part, { stream: true });
      if (text.length < 4 * SHOWN) text += more;
    });
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 2, text: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 2, text }));
  });
}

/** Annotations as lines that a person reads. */
function shown(text) {
  const plain = text.replaceAll(
    /^::(\w+) (?:file=([^,]*),)?(?:line=(\d+),)?(?:title=([^:]*))?::/gm,
    (_, kind, file, line, title) =>
      `${[file && decoded(file), line].filter(Boolean).join(':')}${file ? ': ' : ''}${kind}: ${decoded(title ?? '')}: `,
  );
  const all = decoded(plain);
  return all.length > SHOWN ? `${all.slice(0, SHOWN)}\n(${all.length - SHOWN} more characters: see the log)` : all;
}

function decoded(text) {
  return text.replaceAll('%0A', ' ').replaceAll('%0D', '').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%');
}

/** A fence longer than any in the text, so that nothing an agent wrote is markdown. */
function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}
