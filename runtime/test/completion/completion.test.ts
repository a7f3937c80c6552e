import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { atHome } from '../readings/at-home.js';

const home = atHome();
afterAll(() => home.done());

const RUN = '2026-11-30T10-00-00-00aa';
const names = [...COMMANDS.map(({ name }) => name), 'help'].sort();

beforeAll(async () => {
  for (const name of [RUN, 'other', '2026-11-30T10-00-00-$(touch x)']) mkdirSync(join(home.home, 'runs', name));
  writeFileSync(join(home.home, 'runs', `${RUN}.lock`), '');
  mkdirSync(join(home.root, 'a folder'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { out, code } = await home.flow(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(join(home.root, `script.${shell}`), out);
  }
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

/** Really sources the script and completes the last word, with no `flow` on the PATH: nothing is started. */
const COMPLETE: Readonly<Record<string, (words: readonly string[]) => string[]>> = {
  bash: (words) =>
    run('bash', [
      '--norc',
      '-c',
      `source ./script.bash; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _flow 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'x',
      'x',
      ...words,
    ]),
  zsh: (words) =>
    run('zsh', [
      '-f',
      '-c',
      `source ./script.zsh; shift; words=("$@"); CURRENT=$#; compadd() { shift; print -l -- "\${(@M)@:#$words[CURRENT]*}"; }
       _files() { print -l -- FILES }; _describe() { local -a all; all=("\${(@P)2}"); print -l -- "\${all[@]%%:*}" | grep "^$words[CURRENT]" }; _flow`,
      'x',
      'x',
      ...words,
    ]),
  fish: (words) =>
    run('fish', ['--no-config', '-c', 'source ./script.fish; complete -C $argv[1]', words.join(' ')]).map(
      (line) => line.split('\t')[0] ?? '',
    ),
};

function run(shell: string, args: readonly string[]): string[] {
  const out = execFileSync(shell, args, {
    cwd: home.root,
    env: { PATH: process.env['PATH'] ?? '', HOME: home.root, FLOW_HOME: home.home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return [...new Set(out.split('\n').filter((line) => line !== ''))].sort();
}

describe.each(Object.entries(COMPLETE))('%s', (shell, complete) => {
  it.skipIf(!isInstalled(shell))(
    `[I-1] ${shell} (skipped where it is not installed) completes commands, options, their values and runs`,
    () => {
      expect(complete(['flow', '']).filter((word) => names.includes(word))).toEqual(names);
      expect(complete(['flow', 'sh'])).toEqual(['show']);
      expect(complete(['flow', 'show', ''])).toEqual(expect.arrayContaining([RUN, 'latest']));
      expect(complete(['flow', 'show', '']).filter((word) => /^\d{4}/.test(word))).toEqual([RUN]);
      expect(complete(['flow', 'run', '--mo'])).toEqual(['--model']);
      expect(complete(['flow', 'stage', 'x', '--from', 'la'])).toEqual(expect.arrayContaining(['latest']));
      expect(complete(['flow', 'check', '--log-level', 'd'])).toContain('debug');
      expect(complete(['flow', 'completion', '']).filter((word) => ['bash', 'zsh', 'fish'].includes(word))).toEqual([
        'bash',
        'fish',
        'zsh',
      ]);
      expect(complete(['flow', 'help', 'gat'])).toEqual(['gate']);
      expect(complete(['flow', 'show', '--home', '/nowhere', '']).filter((word) => /^\d{4}/.test(word))).toEqual([]);
    },
  );

  it.skipIf(!isInstalled(shell))(
    `[I-1] ${shell} (skipped where it is not installed): the commands inside a command, and their options`,
    () => {
      const within = (command: string): string[] => complete(['flow', command, '']).filter((word) => /^[a-z]+$/.test(word));
      expect(within('governance')).toEqual(expect.arrayContaining(['check', 'decide', 'probe']));
      expect(within('contract')).toEqual(expect.arrayContaining(['audit', 'check', 'info', 'schema', 'validate']));
      expect(complete(['flow', 'governance', 'de'])).toEqual(['decide']);
      expect(complete(['flow', 'governance', 'decide', '--host', 'co'])).toEqual(['codex']);
      expect(complete(['flow', 'governance', 'check', '--acc'])).toEqual(['--accept']);
      expect(complete(['flow', 'contract', 'validate', '--judge-u'])).toEqual(['--judge-url']);
      expect(complete(['flow', 'contract', 'validate', 'runs.jsonl', '--format', 'sar'])).toEqual(['sarif']);
      expect(complete(['flow', '--home', 'x', '']).filter((word) => word === 'decide')).toEqual([]);
    },
  );

  it.skipIf(!isInstalled(shell))(`[I-1] ${shell} (skipped where it is not installed): every option of every command`, () => {
    const options = complete(['flow', 'run', '--']);
    for (const option of ['--in', '--rehearse', '--isolate', '--home', '--help']) expect(options).toContain(option);
    expect(complete(['flow', 'prune', '--'])).toEqual(expect.arrayContaining(['--keep', '--max-size', '--older-than', '--yes']));
  });
});

it('[I-1] an unknown shell, or none: 2, and the ones there are', async () => {
  const { code, err } = await home.flow(['completion', 'tcsh']);
  expect([code, err]).toEqual([2, expect.stringContaining('bash')]);
  expect((await home.flow(['completion'])).code).toBe(2);
});
