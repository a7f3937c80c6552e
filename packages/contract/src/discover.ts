import { parseYaml } from '@gated-flow/yaml';
import { isContractName } from './read/document.js';
import { isFields, textOf } from './read/values.js';

export interface ProjectFiles {
  readonly packageJson: string | null;
  readonly pyproject: string | null;
  /** Names in `.agentcontract/`. */
  readonly folder: readonly string[];
}

export type Discovered = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string };

/** The one contract a project names: in package.json, pyproject.toml or `.agentcontract/` (seed section 10, C-11). */
export async function discover(files: ProjectFiles): Promise<Discovered> {
  const found: { where: string; path: string }[] = [];
  const faults: string[] = [];
  const add = (where: string, named: Named): void => {
    if (named.is === 'path') found.push({ where, path: named.path });
    if (named.is === 'fault') faults.push(named.message);
  };
  if (files.packageJson !== null) add('"agentcontract" in package.json', inPackageJson(files.packageJson));
  if (files.pyproject !== null) add('[tool.agentcontract] in pyproject.toml', await inPyproject(files.pyproject));
  for (const name of files.folder.filter(isContractName)) found.push({ where: `.agentcontract/${name}`, path: `.agentcontract/${name}` });
  const [fault] = faults;
  if (fault !== undefined) return { ok: false, message: fault };
  const [first, second] = found;
  if (first && second) {
    return {
      ok: false,
      message: `Two contracts are named here: by ${first.where} and by ${second.where}. Name the one you mean on the command line.`,
    };
  }
  if (first) return { ok: true, path: first.path };
  const ways = '"agentcontract" in package.json, [tool.agentcontract] in pyproject.toml, or a file in .agentcontract/';
  return { ok: false, message: `No contract was named, and this project names none. Name one on the command line, or by ${ways}.` };
}

type Named =
  { readonly is: 'path'; readonly path: string } | { readonly is: 'absent' } | { readonly is: 'fault'; readonly message: string };

function inPackageJson(text: string): Named {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {
      is: 'fault',
      message: 'package.json is not JSON, so nobody knows whether it names a contract. Correct it, or name the contract.',
    };
  }
  const named = isFields(value) ? value['agentcontract'] : undefined;
  if (named === undefined) return { is: 'absent' };
  return typeof named === 'string'
    ? { is: 'path', path: named }
    : { is: 'fault', message: '"agentcontract" in package.json is not a path.' };
}

async function inPyproject(text: string): Promise<Named> {
  const { parse } = await import('smol-toml');
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return {
      is: 'fault',
      message: 'pyproject.toml is not TOML, so nobody knows whether it names a contract. Correct it, or name the contract.',
    };
  }
  const tool = isFields(value) && isFields(value['tool']) ? value['tool'] : {};
  const section = tool['agentcontract'];
  if (section === undefined) return { is: 'absent' };
  const path = isFields(section) ? textOf(section['contract']) : undefined;
  return path === undefined
    ? { is: 'fault', message: '[tool.agentcontract] in pyproject.toml has no contract = "path".' }
    : { is: 'path', path };
}

/** `.agentcontract/config.yaml`: who judges, who is alerted, and where `enforce` writes its audit. */
export interface ContractConfig {
  readonly judge?: string;
  readonly judgeUrl?: string;
  readonly judgeKeyEnv?: string;
  readonly webhook?: string;
  readonly alertCommand?: string;
  readonly audit?: string;
}

const KEYS = {
  judge: 'judge',
  'judge-url': 'judgeUrl',
  'judge-key-env': 'judgeKeyEnv',
  webhook: 'webhook',
  'alert-command': 'alertCommand',
  audit: 'audit',
} as const;

export type ConfigRead = { readonly ok: true; readonly config: ContractConfig } | { readonly ok: false; readonly message: string };

export function readConfig(text: string, path: string): ConfigRead {
  const parsed = parseYaml(text);
  if (!parsed.ok) {
    const [fault] = parsed.faults;
    return { ok: false, message: `${path}:${fault?.line ?? 1}: ${fault?.message ?? 'It is not YAML.'}` };
  }
  if (parsed.value === null) return { ok: true, config: {} };
  if (!isFields(parsed.value)) return { ok: false, message: `${path} is not a map of keys to values.` };
  const config: Record<string, string> = {};
  for (const [key, value] of Object.entries(parsed.value)) {
    const name = Object.entries(KEYS).find(([written]) => written === key)?.[1];
    if (name === undefined) return { ok: false, message: `${path} does not take "${key}". Allowed are: ${Object.keys(KEYS).join(', ')}.` };
    if (typeof value !== 'string') return { ok: false, message: `"${key}" in ${path} is not a text.` };
    config[name] = value;
  }
  return { ok: true, config };
}
