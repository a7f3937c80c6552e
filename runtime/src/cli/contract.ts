import { type Command, Option } from 'commander';
import {
  type Arguments,
  COMMANDS,
  type CommandEntry,
  type CommandIo,
  type Option as ContractOption,
  performCommand,
} from '@gated-flow/contract';
import type { CommandModule, Io } from './command.js';

const EXAMPLES = `
Examples:
  flow contract check support.contract.yaml                what is wrong with it, or likely wrong
  flow contract info support.contract.yaml                 who judges each clause
  flow contract validate support.contract.yaml runs.jsonl  judge what an agent did

Without a contract, the one that package.json, pyproject.toml or .agentcontract/ names is taken.
The same command stands alone as agentcontract, for those who do not use flow.

Exit codes: 0 pass, 1 a violation that blocks, 2 something cannot be used.`;

/** `flow contract …`: the command `agentcontract`, with the options that every command of flow has (I-1, C-11). */
export const command: CommandModule = {
  build(command, io, done) {
    command.usage('<command> [options]').addHelpText('after', EXAMPLES);
    for (const entry of COMMANDS) addEntry(command, entry).action(async (...typed) => done(await perform(entry, typed, io)));
  },
};

function addEntry(command: Command, { name, takes, summary, options }: CommandEntry): Command {
  const added = command.command(name).description(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`);
  if (takes !== '') added.usage(`[options] ${takes}`).argument('[file...]', 'what is read');
  for (const [option, about] of Object.entries(options)) added.addOption(optionOf(option, about));
  return added;
}

function optionOf(name: string, { value = '', about, multiple = false }: ContractOption): Option {
  if (value === '') return new Option(`--${name}`, about);
  const choices = /^[a-z]+(?:\|[a-z]+)+$/.test(value) ? value.split('|') : null;
  const option = new Option(`--${name} <${choices === null ? value.toLowerCase() : 'how'}>`, about);
  if (choices !== null) return option.choices(choices);
  return multiple ? option.argParser((text, before: readonly string[] = []) => [...before, text]) : option;
}

/** Typed are the words, when the command takes any, then the options, then the command itself. */
function perform(entry: CommandEntry, typed: readonly unknown[], io: Io): Promise<number> {
  const words = entry.takes === '' ? [] : listOf(typed[0]);
  const options = new Map<string, unknown>(Object.entries(typed[typed.length - 2] ?? {}));
  return performCommand(entry, givenOf(words, options), contractIo(io, options.get('format') === 'github'));
}

function givenOf(words: readonly string[], options: ReadonlyMap<string, unknown>): Arguments {
  const value = (name: string): unknown => options.get(name.replace(/-[a-z]/g, (at) => at.slice(1).toUpperCase()));
  return {
    words,
    text(name) {
      const found = value(name);
      return typeof found === 'string' ? found : undefined;
    },
    texts: (name) => listOf(value(name)),
    // `--no-NAME` is kept as a NAME that is false.
    flag: (name) => (name.startsWith('no-') ? value(name.slice(3)) === false : value(name) === true),
  };
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Masked as everything that `flow` prints. Annotations are to command a job's log: they go out as bytes (I-7). */
function contractIo(io: Io, commands: boolean): CommandIo {
  const { redactor } = io;
  return {
    out(text) {
      const masked = redactor.text(text);
      return io.out(commands ? Buffer.from(masked) : masked);
    },
    err: (text) => io.err(redactor.text(text)),
    stdin: () => io.stdin(),
    env: io.env,
    cwd: io.cwd,
    program: 'flow contract',
  };
}
