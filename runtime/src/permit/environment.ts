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
  /** Slot name without `$` → absolute path. */
  readonly slots: Environment;
  /** Name patterns: withheld, and let back in for gates and for the agent. */
  readonly config: { readonly scrub: readonly string[]; readonly gateEnv: readonly string[]; readonly agentEnv: readonly string[] };
  /** The run's name. */
  readonly run: string;
}

/** The runtime's own variables; `_` holds the path of what the caller started. Never let back in. */
const OWN = ['FLOW_*', '_'];

export function environments({ env, slots, config, run }: Surroundings): Environments {
  const places = { ...slots, TMPDIR: slots['TMP'] ?? '/tmp' };
  const own = { FLOW_RUN_ID: run };
  return {
    hook: { ...keep(env, () => true), ...places, ...own },
    gate: { ...keep(env, (name) => isShared(name, config.scrub, config.gateEnv)), ...places, ...own },
    agent: { ...keep(env, (name) => isShared(name, config.scrub, config.agentEnv)), ...places },
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
