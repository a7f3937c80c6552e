import { join } from 'node:path';
import type { ConfigFacts } from '../../doctor/config.js';
import type { HereFacts } from '../../doctor/folder.js';
import type { HomeFacts } from '../../doctor/home.js';
import type { MachineFacts } from '../../doctor/machine.js';
import type { ModelFacts } from '../../doctor/models.js';
import type { NetworkFacts } from '../../doctor/network.js';
import type { ProcessFacts } from '../../doctor/process.js';
import type { SurroundingFacts } from '../../doctor/surroundings.js';
import { askOllama, discoverDefault, type Fetch, keyRungs, ollamaDefault, type OllamaAnswer } from '../../models/discovery.js';
import { EMPTY_CONFIG } from '../../plan/config/empty.js';
import type { ReadConfig } from '../../plan/config/load.js';
import { homePath, type Place } from '../../plan/home.js';
import type { HomeConfig } from '../../plan/plan.js';
import type { Clock } from '../../ports/clock.js';
import type { FindLauncher } from '../../ports/containment.js';
import type { Disk } from '../../ports/disk.js';
import { DiskError } from '../../ports/disk.js';
import type { Probe } from '../../ports/probe.js';
import type { Processes } from '../../ports/processes.js';
import { scratchPath } from '../../run/scratch.js';
import { modelsDocument } from '../models/document.js';
import { countCrashed } from './crashed.js';
import { type NamedRow, questionsOf } from './endpoints.js';

export interface DoctorPorts {
  readonly probe: Probe;
  readonly findLauncher: FindLauncher;
  readonly disk: Disk;
  readonly readConfig: ReadConfig;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly fetch: Fetch;
}

export interface DoctorWords extends Place {
  /** `--home`, as typed. */
  readonly flag?: string;
  /** Asks no server but a local Ollama. */
  readonly offline: boolean;
}

export interface Facts {
  readonly home: string | null;
  readonly machine: MachineFacts;
  readonly process: ProcessFacts;
  readonly here: HereFacts;
  readonly place: HomeFacts;
  readonly config: ConfigFacts;
  readonly models: ModelFacts;
  readonly network: NetworkFacts;
  readonly surroundings: SurroundingFacts;
}

/** Asks everything at once; each probe has its own clock, so that this takes no longer than the slowest of them may. */
export async function gather(words: DoctorWords, ports: DoctorPorts): Promise<Facts> {
  const home = homePath(words, words.flag);
  // First and alone: its 200 ms would be used up by the start of all the others.
  const ollama = await askOllama(ports.fetch, words.env, ports.clock);
  const [machine, process, here, place, [config, models, network], surroundings] = await Promise.all([
    machineFacts(ports.probe),
    processFacts(words, ports.probe),
    hereFacts(words, ports.probe),
    homeFacts(home, words, ports),
    modelFacts({ home, ollama }, words, ports),
    surroundingFacts(words, ports),
  ]);
  return { home, machine, process, here, place, config, models, network, surroundings };
}

async function machineFacts(probe: Probe): Promise<MachineFacts> {
  const [git, sh, bash] = await Promise.all([
    probe.ask('git', ['--version']),
    probe.ask('sh', ['-c', 'exit 0']),
    probe.ask('bash', ['--norc', '-c', 'echo "$BASH_VERSION"']),
  ]);
  return { node: probe.node, platform: probe.platform, git, sh, bash };
}

const INTERPRETERS = ['python3'] as const;

async function processFacts({ env }: DoctorWords, probe: Probe): Promise<ProcessFacts> {
  const [allowances, folder, found] = await Promise.all([
    probe.allowances(),
    probe.folder(probe.temporary),
    Promise.all(INTERPRETERS.map(async (name) => [name, await probe.find(name)] as const)),
  ]);
  return {
    ...{ platform: probe.platform, env, allowances },
    temporary: { path: probe.temporary, folder },
    interpreters: Object.fromEntries(found),
  };
}

async function hereFacts({ cwd }: DoctorWords, probe: Probe): Promise<HereFacts> {
  const asked = (key: string) => probe.ask('git', ['-C', cwd, 'config', '--get', key]);
  const [place, autocrlf, fileMode] = await Promise.all([probe.place(cwd), asked('core.autocrlf'), asked('core.fileMode')]);
  return { path: cwd, place, settings: { autocrlf, fileMode } };
}

async function homeFacts(home: string | null, words: DoctorWords, ports: DoctorPorts): Promise<HomeFacts> {
  const { probe, disk } = ports;
  // The name of the scratch itself is made up: what counts is the folder that it goes into.
  const scratch = join(scratchPath({ env: words.env, temporary: probe.temporary, workdir: words.cwd }, ''), '..');
  const [folder, crashed, scratchFolder] = await Promise.all([
    home === null ? null : probe.folder(home),
    countCrashed({ home, cwd: words.cwd, disk }, ports),
    probe.folder(scratch),
  ]);
  return { home, said: saidBy(words), folder, crashed, runs: crashed?.runs ?? null, scratch: { path: scratch, folder: scratchFolder } };
}

/** In the order in which `homePath` looks. */
function saidBy({ flag, env }: DoctorWords): string {
  if (flag !== undefined) return '--home';
  if (env['FLOW_HOME']) return 'FLOW_HOME';
  return env['XDG_DATA_HOME']?.startsWith('/') ? 'XDG_DATA_HOME' : 'the usual place';
}

async function modelFacts(
  { home, ollama }: { readonly home: string | null; readonly ollama: OllamaAnswer },
  words: DoctorWords,
  ports: DoctorPorts,
): Promise<[ConfigFacts, ModelFacts, NetworkFacts]> {
  const { env, offline } = words;
  const config = await configFacts(home, ports);
  const read = config.ok ? config.config : EMPTY_CONFIG;
  const document = modelsDocument({ home, config: read, env, ollama });
  const own = Object.values(read.intelligences).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  const variables = [...new Set([...keyRungs(env).map(({ variable }) => variable), ...own])];
  const models: ModelFacts = { env, variables, default: document.default, rows: document.rows, ollama };
  const questions = questionsOf(rowsOf(read, { env, ollama }), env);
  const endpoints = await Promise.all(
    questions.map(async ({ endpoint, target }) => ({ endpoint, reached: offline ? null : await ports.probe.reach(target) })),
  );
  return [config, models, { env, endpoints }];
}

/** The rows of the home, and what `default` stands for without one. */
function rowsOf(config: HomeConfig, { env, ollama }: { env: DoctorWords['env']; ollama: OllamaAnswer }): readonly NamedRow[] {
  const asked = config.options.intelligence ?? 'default';
  const rows = Object.entries(config.intelligences).map(([name, row]) => ({ name, row, isDefault: name === asked }));
  if (asked !== 'default' || rows.some(({ isDefault }) => isDefault)) return rows;
  const found = discoverDefault(env) ?? ollamaDefault(ollama);
  return found === null ? rows : [...rows, { name: 'default', row: found.intelligence, isDefault: true }];
}

async function configFacts(home: string | null, { readConfig, disk }: DoctorPorts): Promise<ConfigFacts> {
  const read = await readConfig(home);
  if (!read.ok) return read;
  if (home === null) return { ok: true, config: read.value, file: null };
  const file = join(home, 'config.yaml');
  return { ok: true, config: read.value, file: (await isThere(file, disk)) ? file : null };
}

async function isThere(path: string, disk: Disk): Promise<boolean> {
  try {
    return (await disk.look(path)) !== null;
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}

const AGENTS = ['claude', 'codex', 'gemini', 'opencode'] as const;
const OPENERS: Readonly<Record<string, readonly string[]>> = { darwin: ['open'], linux: ['xdg-open', 'wslview', 'x-www-browser'] };

async function surroundingFacts(
  { env }: DoctorWords,
  { probe, findLauncher }: Pick<DoctorPorts, 'probe' | 'findLauncher'>,
): Promise<SurroundingFacts> {
  const openers = [...(env['BROWSER'] ? [env['BROWSER']] : []), ...(OPENERS[probe.platform] ?? [])];
  const [agents, sandbox, found] = await Promise.all([
    Promise.all(AGENTS.map(async (name) => [name, await probe.find(name)] as const)),
    findLauncher(false),
    Promise.all(openers.map((opener) => probe.find(opener))),
  ]);
  return {
    platform: probe.platform,
    env,
    agents: Object.fromEntries(agents),
    sandbox,
    opener: found.find((path) => path !== null) ?? null,
  };
}
