#!/usr/bin/env node
// Runs what the documentation shows:  node scripts/snippets.mjs [FILE.md …]
//
// The blocks of a page run in order, in one scratch folder with a home of its own, where `flow` and `agentcontract` are commands and
// `gated-flow` can be imported, when their fence says so:
//   ```sh test               a script; every command must succeed
//   ```console test          `$ command` lines (continued by `> `), each followed by what it prints; `…` stands for
//                            any text in a line, alone on a line for any lines. A command may fail when the next
//                            one is `echo $?`, or when the fence says `console test fails`.
//   ```markdown file=a/B.md  written before what follows runs (any language)
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fencedBlocks } from './lib/fenced-blocks.mjs';
import { root } from './lib/root.mjs';

const commands = { flow: 'runtime/bin/flow.mjs', agentcontract: 'packages/contract/bin/agentcontract.mjs' };

/** Resolves to `{ok, output, note}`, a step of `npm run check`. */
export async function snippets(files = undefined) {
  if (!existsSync(join(root, 'runtime/dist/flow.js'))) return { ok: false, output: 'The command is not built: node scripts/build.mjs' };
  const faults = [];
  let ran = 0;
  for (const file of files ?? (await pages())) {
    const result = await runPage(file);
    ran += result.ran;
    faults.push(...result.faults.map((fault) => `${relative(root, file)}${fault}`));
  }
  return { ok: faults.length === 0, output: faults.join('\n'), note: `${ran} blocks` };
}

/** The page of wrong snippets must be found wrong in exactly its wrong places. */
export async function snippetsMustFail() {
  const { faults } = await runPage(join(root, 'scripts/check-fixtures/page/wrong.md'));
  const lines = faults.map((fault) => Number(/^:(\d+)/.exec(fault)[1])).join(' ');
  return { ok: lines === '8 13 20', output: `found wrong: ${lines}\n${faults.join('\n')}`, note: '3 faults found' };
}

async function pages() {
  const docs = (await readdir(join(root, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  return ['README.md', 'packages/contract/README.md', ...docs.map((name) => join('docs', name))]
    .map((name) => join(root, name))
    .filter(existsSync);
}

async function runPage(file) {
  const blocks = fencedBlocks(await readFile(file, 'utf8')).filter(({ info }) => / test\b|\bfile=/.test(info));
  if (blocks.length === 0) return { ran: 0, faults: [] };
  const scratch = realpathSync(await mkdtemp(join(tmpdir(), 'flow-page-')));
  try {
    await layOut(scratch);
    const faults = [];
    for (const block of blocks) faults.push(...(await runBlock(block, scratch)).map((fault) => `:${block.line}: ${fault}`));
    return { ran: blocks.length, faults };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function layOut(scratch) {
  for (const folder of ['bin', 'home', 'work']) await mkdir(join(scratch, folder));
  for (const [name, script] of Object.entries(commands)) {
    await writeFile(join(scratch, 'bin', name), `#!/bin/sh\nexec '${process.execPath}' '${join(root, script)}' "$@"\n`);
    await chmod(join(scratch, 'bin', name), 0o755);
  }
  await mkdir(join(scratch, 'node_modules'));
  await symlink(join(root, 'runtime'), join(scratch, 'node_modules/gated-flow'));
}

async function runBlock({ info, text }, scratch) {
  const file = /\bfile=(\S+)/.exec(info)?.[1];
  if (file) {
    const path = join(scratch, 'work', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return [];
  }
  return info.startsWith('console') ? runConsole(text, scratch, info.endsWith('fails')) : runScript(text, scratch);
}

async function runScript(text, scratch) {
  const { code, output } = await bash(`set -e\n${text}`, scratch);
  return code === 0 ? [] : [`exit ${code}\n${indent(output)}`];
}

async function runConsole(text, scratch, mayFail) {
  const commands = parseConsole(text);
  const mark = 'end-of-command-of-this-page';
  const script = commands.map(({ line }) => `${line}\n__code=$?; printf '\\n%s %s\\n' ${mark} $__code; (exit $__code)`).join('\n');
  const { output } = await bash(script, scratch);
  const shown = output.split(new RegExp(`\\n?${mark} (\\d+)\\n`));
  const faults = [];
  for (const [index, { line, expected }] of commands.entries()) {
    const [actual, code] = [shown[index * 2] ?? '', shown[index * 2 + 1] ?? 'none'];
    const askedFor = mayFail || commands[index + 1]?.line === 'echo $?';
    if (code !== '0' && !askedFor) faults.push(`$ ${line}: exit ${code}\n${indent(actual)}`);
    else if (!matches(expected, actual)) faults.push(`$ ${line}: prints something else\n${indent(actual)}`);
  }
  return faults;
}

function parseConsole(text) {
  const commands = [];
  for (const line of text.split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ line: line.slice(2), expected: [] });
    else if (line.startsWith('> ') && last?.expected.length === 0) last.line += `\n${line.slice(2)}`;
    else last?.expected.push(line);
  }
  return commands;
}

/** A command that is shown with no output may print anything. */
function matches(expected, actual) {
  const wanted = expected.join('\n').trim();
  if (wanted === '') return true;
  const pattern = wanted
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?.*' : line.trimEnd().split('…').map(escaped).join('.*')))
    .join('[ \\t]*\\n');
  return new RegExp(`^${pattern}$`).test(actual.trim());
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const indent = (text) => text.trim().replaceAll(/^/gm, '    ');

function bash(script, scratch) {
  const env = {
    PATH: `${join(scratch, 'bin')}:${process.env.PATH}`,
    HOME: scratch,
    FLOW_HOME: join(scratch, 'home'),
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
  };
  const child = spawn('bash', ['-c', `exec 2>&1\n${script}`], { cwd: join(scratch, 'work'), env, stdio: ['ignore', 'pipe', 'inherit'] });
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  return new Promise((settle, reject) => {
    child.on('error', reject);
    child.on('close', (code) => settle({ code, output: Buffer.concat(parts).toString() }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2).map((file) => resolve(file));
  const { ok, output, note } = await snippets(named.length > 0 ? named : undefined);
  console.log([output, `snippets: ${note ?? ''} ${ok ? 'as shown' : 'not as shown'}`].filter(Boolean).join('\n'));
  process.exitCode = ok ? 0 : 1;
}
