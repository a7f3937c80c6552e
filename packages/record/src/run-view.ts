/**
 * What a record says, as a value: the one source of every reading. Plain data in the record's own field names, durations in
 * milliseconds. An optional field that never existed is absent or undefined; as JSON it is absent.
 */
import type {
  Asked,
  Cause,
  CheckName,
  ControlDecision,
  FactOf,
  ModelSource,
  SealedFile,
  Sourced,
  UnevaluatedClause,
  StageEnding,
} from './events.js';

export interface RunView {
  readonly run: string;
  readonly runtime: FactOf<'run_start'>['runtime'];
  readonly assembly: string;
  readonly assembly_hash: string;
  readonly flow: string;
  readonly request: FactOf<'run_start'>['request'];
  readonly workdir: string;
  /** Of an isolated run: the working tree that its own was made from. */
  readonly isolated_from?: string;
  /** What ran in a sandbox, where anything did. */
  readonly sandbox?: FactOf<'run_start'>['sandbox'];
  readonly model_source: ModelSource;
  readonly correlation?: string;
  readonly continued_from?: string;
  readonly asked?: Asked;
  /** Of a child run: who called it. */
  readonly child?: FactOf<'run_start'>['child'];
  readonly started: string;
  /** The time of the last event. */
  readonly last: string;
  /** From the first event to the last. */
  readonly ms: number;
  /** Null while the record has no `run_end`. */
  readonly ending: RunEnding | null;
  /** In the order in which they began; each repeat of a loop is a stage of its own. */
  readonly stages: readonly StageView[];
  readonly containers: readonly ContainerView[];
  readonly subflows: readonly SubflowView[];
  readonly usage: UsageView;
  readonly signals: readonly string[];
  readonly authorizations: readonly Omit<FactOf<'authorization'>, 'event'>[];
  /** How many events of a behavioural contract and of the governance contract there are. */
  readonly contract_events: number;
  readonly governance_events: number;
  /** All of the record's events that are known. */
  readonly events: number;
}

export interface RunEnding {
  readonly exit: number;
  readonly cause: Cause;
  readonly reason?: string;
  readonly stage?: string;
  readonly pending?: readonly string[];
  readonly manifest?: string;
}

/** Sums over turns; null when no turn told. */
export interface UsageView {
  readonly turns: number;
  readonly input: number | null;
  readonly output: number | null;
  readonly cache_read: number | null;
  readonly cache_write: number | null;
  readonly cost_usd: number | null;
  /** Turns whose price is unknown: `cost_usd` leaves them out. */
  readonly unpriced: number;
}

/** What a reader should look at twice. */
export type Flag = 'passed-on-last-round' | 'feedback-repeated';

export interface StageView {
  readonly stage: string;
  readonly repeat?: number;
  readonly state: 'running' | 'ended' | 'carried' | 'reused';
  readonly started: string;
  /** From start to end, or to the last event of a stage that has not ended. */
  readonly ms: number;
  readonly received: FactOf<'stage_start'>['received'];
  readonly options: Readonly<Record<string, Sourced>>;
  readonly slots: readonly string[];
  readonly workdir: string;
  readonly tools: readonly string[];
  readonly skills: readonly string[];
  readonly worker?: string;
  readonly prompt?: { readonly system_sha256: string; readonly first_turn_sha256: string };
  /** `provider/model`, each once, in order of first use. */
  readonly models: readonly string[];
  readonly usage: UsageView;
  readonly provider_retries: number;
  readonly rounds: readonly RoundView[];
  readonly hooks: readonly HookView[];
  readonly drift: readonly { readonly file: string; readonly expected: string; readonly found: string }[];
  /** Control decisions and denials; at most `DECISIONS_KEPT`. */
  readonly decisions: readonly DecisionView[];
  readonly decisions_omitted: number;
  /** Broken clauses of behavioural contracts, round by round; at most `DECISIONS_KEPT`. Absent when none was broken. */
  readonly contracts?: readonly BrokenClauseView[];
  /** Why the scratch folder could not be removed. */
  readonly teardown?: string;
  /** The run a carried or reused output comes from. */
  readonly from?: string;
  /** For which step of the root sequence it was carried, and under which name the next one received it. */
  readonly carried_for?: { readonly entry: string; readonly name: string; readonly of: number };
  readonly ending: StageEnding | null;
  readonly flags: readonly Flag[];
}

/** As the event says it, but for the names of the audit. */
export type BrokenClauseView = Pick<
  FactOf<'contract'>,
  'contract' | 'clause_type' | 'clause_name' | 'action_taken' | 'judge' | 'details' | 'round'
>;

/** One attempt: the agent's turns and what judged them. */
export interface RoundView {
  readonly round: number;
  readonly verdict: 'passed' | 'failed' | 'open';
  readonly turns: number;
  readonly checks: readonly CheckView[];
}

export interface CheckView {
  readonly check: CheckName;
  readonly file?: string;
  readonly exit: number | null;
  readonly passed: boolean;
  readonly capture: string;
  readonly capture_sha256: string;
  readonly sha256?: string;
  readonly ms: number;
  readonly overflow?: true;
  /** Clauses of contracts that nobody could evaluate. */
  readonly unevaluated?: readonly UnevaluatedClause[];
}

export interface HookView extends Omit<CheckView, 'check' | 'file' | 'unevaluated'> {
  readonly hook: 'before' | 'success' | 'failure';
  readonly file: string;
}

export interface DecisionView {
  readonly retry?: number;
  readonly tool: string;
  readonly decision: ControlDecision;
  readonly item?: number;
  readonly evidence?: string;
  readonly answer?: string;
  readonly reason?: string;
}

/** How a container went: its own closing event; of a fan-out also that it began. */
export type ContainerView = { readonly stage: string; readonly repeat?: number } & (
  | ({ readonly type: 'CHOOSE' } & Pick<FactOf<'chose'>, 'chose' | 'declined' | 'reason'>)
  | ({ readonly type: 'LOOP' } & Pick<FactOf<'loop_done'>, 'repeats' | 'ended_by' | 'reason'>)
  | ({ readonly type: 'PARALLEL' } & Pick<FactOf<'parallel_done'>, 'branches' | 'concurrent'>)
  | FanoutView
);

/** `concurrent` and `cause` are null until it is over. */
export interface FanoutView {
  readonly type: 'FANOUT';
  readonly items: number;
  readonly subflow?: string;
  readonly width?: number;
  readonly concurrent: number | null;
  readonly cause: Cause | null;
}

/** A child run that a stage called or a fan-out made. `ending` is null as long as its end is not reported. */
export interface SubflowView {
  readonly stage?: string;
  readonly repeat?: number;
  /** The caller's attempt. */
  readonly retry?: number;
  readonly n: number;
  readonly flow: string;
  readonly item?: string;
  readonly depth: number;
  readonly input: { readonly sha256: string; readonly bytes: number };
  readonly ending: {
    readonly exit: number;
    readonly cause: Cause;
    readonly reason?: string;
    readonly output?: SealedFile;
    readonly record_sha256: string;
  } | null;
}
