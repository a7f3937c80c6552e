import { escapeControls } from '@gated-flow/text';
import type { Contract, ContractFault } from '../contract.js';
import type { HostFact } from '../evaluate/ports.js';
import type { ContractConfig } from '../discover.js';
import { discover } from '../discover.js';
import { projectFiles, readProjectConfig, readSmallFile } from '../edges/disk.js';
import { loadContract } from '../edges/load-contract.js';
import type { Arguments, CommandIo } from './command.js';
import { Misuse } from './command.js';

/** The contract that was named, or the one the project names. */
export async function contractPath(named: string | undefined, io: CommandIo): Promise<string> {
  if (named !== undefined) return named;
  const found = await discover(await projectFiles(io.cwd));
  if (!found.ok) throw new Misuse(found.message);
  return found.path;
}

/** The contract, or null after its faults were said. */
export async function contractOf(path: string, given: Arguments, io: CommandIo): Promise<Contract | null> {
  const result = await loadContract(path, { cwd: io.cwd, allowRemote: given.flag('allow-remote'), env: io.env });
  if (result.ok) return result.contract;
  io.err(result.faults.map(faultLine).join(''));
  io.err(`The contract ${escapeControls(path)} cannot be used.\n`);
  return null;
}

/** `a.contract.yaml:3:5: error: …` */
export function faultLine({ file, line, column, severity, message, fix }: ContractFault): string {
  const hint = fix === undefined ? '' : `\n    ${escapeControls(fix)}`;
  return `${escapeControls(`${file}:${line}:${column}: ${severity}: ${message}`).replaceAll('\n', ' ')}${hint}\n`;
}

/** `--fact "user is authenticated=true"` */
export function hostFacts(given: Arguments): HostFact[] {
  return given.texts('fact').map((written) => {
    const found = /^(.+)=(true|false)$/s.exec(written);
    if (!found)
      throw new Misuse(`--fact takes a sentence and true or false, such as --fact "user is authenticated=true", and not "${written}".`);
    return { text: (found[1] ?? '').trim(), is: found[2] === 'true' };
  });
}

/** The option when it is one of the words; the first of them when it was not given. */
export function choiceOf(given: Arguments, name: string, words: readonly string[]): string {
  const written = given.text(name) ?? words[0] ?? '';
  if (!words.includes(written)) throw new Misuse(`--${name} is ${words.join(', ')}, and not "${written}".`);
  return written;
}

/** The key of the audit's signatures; undefined when there is none. White space around a key in a file does not count. */
export async function auditKey(given: Arguments, io: CommandIo): Promise<string | undefined> {
  const file = given.text('key-file');
  if (file === undefined) return io.env['AGENTCONTRACT_AUDIT_KEY'] || undefined;
  const read = await readSmallFile(file.startsWith('/') ? file : `${io.cwd}/${file}`);
  if (!read.ok) throw new Misuse(`The key cannot be read. ${read.message}`);
  const key = Buffer.from(read.bytes).toString('utf8').trim();
  if (key === '') throw new Misuse(`The key file ${file} is empty.`);
  return key;
}

export async function projectConfig(io: CommandIo): Promise<ContractConfig> {
  const config = await readProjectConfig(io.cwd);
  if (!config.ok) throw new Misuse(config.message);
  return config.config;
}
