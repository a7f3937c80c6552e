/** What a run is going to do, decided before anything runs. Pure data: an assembly, an invocation and a home make a plan or refusals. */
import type { Assembly, Flow, LocalContext, Skill, Step } from '@gated-flow/assembly';
import type { Contract } from '@gated-flow/contract';
import type { Sourced } from '@gated-flow/record';
import type { RunGovernance } from '../governance/load.js';

export interface Plan {
  readonly assembly: Assembly;
  /** Absolute path of the assembly's root. */
  readonly source: string;
  /** The flow to run, its `steps` narrowed to one when the target named a stage; null when the assembly agent routes (O-2). */
  readonly flow: Flow | null;
  /** The same flow with all of its steps: where a single stage stands is told as in a full run. */
  readonly whole: Flow | null;
  /** Every row in execution order; a loop's and a choice's contents once (G-10). */
  readonly rows: readonly PlanRow[];
  /** The same of every flow that may be called on the way, by the flow's path (G-6, G-7). */
  readonly callable: ReadonlyMap<string, readonly PlanRow[]>;
  /** The behavioural contracts over whatever may run, by their path in the assembly. */
  readonly contracts: ReadonlyMap<string, Contract>;
  /** The governance contract over whatever may run; null where there is none (V-1). */
  readonly governance: RunGovernance | null;
  /** Who may judge the clauses of contracts, best first; empty when nobody is asked (M-4). */
  readonly judges: readonly Intelligence[];
  readonly warnings: readonly Warning[];
}

/** The rows of everything that may run. */
export function allRows({ rows, callable }: Pick<Plan, 'rows' | 'callable'>): readonly PlanRow[] {
  return callable.size === 0 ? rows : [...rows, ...[...callable.values()].flat()];
}

export interface PlanRow {
  readonly step: Step | null;
  /** The record's stage path; `assembly` for the assembly agent. */
  readonly stage: string;
  readonly type: Step['type'] | 'ASSEMBLY';
  readonly options: ResolvedOptions;
  /** The row of the home, the environment or the command that the options' model came from; null when none is resolved. */
  readonly intelligence: Intelligence | null;
  /** Stages and the assembly agent: every file name that may arrive, in name order. `<id>` stands for a fan-out item's id. */
  readonly input: readonly string[];
  /** A file name; null for a container. */
  readonly output: string | null;
  /** Skills in scope, in name order; of one name the narrowest won (G-9). */
  readonly skills: readonly Skill[];
  /** The sentinel, then the recognised files in name order, relative to the stage's folder. */
  readonly files: readonly string[];
}

export interface ResolvedOptions {
  readonly intelligence: Sourced<string | null>;
  readonly provider: Sourced<string | null>;
  readonly model: Sourced<string | null>;
  readonly reasoning: Sourced<string | null>;
  /** Seconds. */
  readonly timeout: Sourced<number>;
  readonly retries: Sourced<number>;
  readonly 'local-context': Sourced<LocalContext>;
}

/** Legal, but likely not what was meant (I-6). */
export interface Warning {
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
}

/** The request as it reaches the first stage (O-3). */
export interface Request {
  readonly bytes: Uint8Array;
  /** With its dot: `.txt`. */
  readonly extension: string;
  readonly from: 'argument' | 'file' | 'task' | 'stdin' | 'none';
}

/** A validated `config.yaml`; every list is present, empty when unset. */
export interface HomeConfig {
  readonly intelligences: Readonly<Record<string, Intelligence>>;
  readonly options: {
    readonly timeout?: number;
    readonly retries?: number;
    readonly localContext?: LocalContext;
    readonly intelligence?: string;
  };
  /** Names withheld from the agent's shell and gates, `*` as a wildcard (S-2). */
  readonly scrub: readonly string[];
  readonly gateEnv: readonly string[];
  readonly agentEnv: readonly string[];
  readonly redact: readonly string[];
  /** Defaults of the run-wide limits (I-5). */
  readonly deadline?: number;
  readonly maxCost?: number;
  /** Who is told of a contract's `halt_and_alert` (C-9): an address, and a shell command. */
  readonly alertWebhook?: string;
  readonly alertCommand?: string;
}

export type Reasoning = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

/** A row of `intelligences:` (M-1). Prices are USD per million tokens. */
export interface Intelligence {
  readonly provider: string;
  readonly model: string;
  readonly reasoning?: Reasoning;
  readonly baseUrl?: string;
  /** Where the environment sends it instead, as written there; absent when the row says `base-url`. */
  readonly sentTo?: string;
  /** The name of the variable that holds the key. */
  readonly apiKeyEnv?: string;
  readonly maxOutputTokens?: number;
  readonly price?: Price;
}

/** USD per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface Price extends Rates {
  /** What a turn costs whose prompt has more than `tokens` tokens; all of it, not only what is over. */
  readonly longPrompt?: Rates & { readonly tokens: number };
}
