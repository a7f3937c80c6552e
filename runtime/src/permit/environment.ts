/** The environments of what a stage starts (S-1, S-2). Pure. */
import { nameMatches } from '@gated-flow/text';

export interface Environments {
  /** The caller's, over which the slots. */
  readonly hook: Environment;
  /** The same without the runtime's own variables and without secrets: a gate often runs what the agent wrote. */
  readonly gate: Environment;
  /** As a gate's, and nothing tells it of the run. */
  readonly agent: Environment;
}

export type Environment = Readonly<Record<string, string>>;

export interface Surroundings {
  /** The caller's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Name patterns: withheld, and let back in for gates and for the agent. */
  readonly config: { readonly scrub: readonly string[]; readonly gateEnv: readonly string[]; readonly agentEnv: readonly string[] };
  /** The run's name. */
  readonly run: string;
}

/** The environments of one pass of a stage, by its slots: names without `$` → absolute path. */
export type EnvironmentsOf = (slots: Environment) => Environments;

/** The runtime's own variables, with the key that signs the audit (C-10); `_` holds the path of what the caller started. Never let back in. */
const OWN = ['FLOW_*', '_', 'AGENTCONTRACT_AUDIT_KEY'];

/** A hook in Python says and reads UTF-8 wherever it runs, unless the caller said otherwise (V-11). */
const PYTHON = { PYTHONUTF8: '1', PYTHONIOENCODING: 'utf-8' };

/** What is the same for all stages of a run is worked out once. A stage without an `$OUTPUT` must not take the caller's for one (G-4). */
export function openEnvironments({ env: { OUTPUT: _, ...env }, config, run }: Surroundings): EnvironmentsOf {
  const own = { FLOW_RUN_ID: run };
  const hook = { ...PYTHON, ...keep(env, () => true) };
  const gate = { ...PYTHON, ...keep(env, (name) => isShared(name, config.scrub, config.gateEnv)) };
  const agent = keep(env, (name) => isShared(name, config.scrub, config.agentEnv));
  return (slots) => {
    const places = { ...slots, TMPDIR: slots['TMP'] ?? '/tmp' };
    return { hook: { ...hook, ...places, ...own }, gate: { ...gate, ...places, ...own }, agent: { ...agent, ...places } };
  };
}

function isShared(name: string, scrub: readonly string[], letIn: readonly string[]): boolean {
  if (matchesAny(name, OWN)) return false;
  return !matchesAny(name, scrub) || matchesAny(name, letIn);
}

function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => nameMatches(name, pattern));
}

function keep(env: Surroundings['env'], wanted: (name: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && wanted(name)) kept[name] = value;
  return kept;
}
