/** The events of a record, format 1. A field is absent only when the thing never existed. */
import type { GovernedFields } from './governed-events.js';
import type { SealedFile } from './sealed-file.js';

export type { SealedFile } from './sealed-file.js';

export const CAUSES = ['success', 'refused', 'exhausted', 'rejected', 'blocked', 'timeout', 'signal', 'fault'] as const;
export type Cause = (typeof CAUSES)[number];

/** Where a value was said: the rung of the option ladder (O-4). */
export type Rung = 'command' | 'task' | 'stage' | 'container' | 'flow' | 'assembly' | 'home' | 'environment' | 'default';
export interface Sourced<T = unknown> {
  readonly value: T;
  readonly from: Rung;
}

/** Which stage an event is about. `repeat` only inside a LOOP; `retry` is the attempt, from 1; 0 where the work of an earlier run was judged (G-12). */
export interface Where {
  readonly stage?: string;
  readonly repeat?: number;
  readonly retry?: number;
}

export type CheckName = 'output' | 'checklist' | 'schema' | 'gate' | 'contract' | 'claim' | 'question';
/** A clause of a behavioural contract that nobody could evaluate, and why (C-4). */
export interface UnevaluatedClause {
  readonly contract: string;
  readonly clause_name: string;
  readonly reason: string;
}
export type ControlDecision = 'mark' | 'done' | 'skipped' | 'refuse' | 'fault' | 'continue' | 'select' | 'clean' | 'denied';
export type ModelSource = 'provider' | 'scripted' | 'rehearsal' | 'replay' | 'agent';

/** What was asked of a run beside its request, so that the same can be asked again (G-11, M-7). Options by their names in front matter. */
export interface Asked {
  /** The one stage that was named alone. */
  readonly stage?: string;
  /** What that stage was given in place of the request: `files`, or the name of the run that had given it the same. */
  readonly given?: string;
  /** As typed: text, also `model` and `reasoning`. */
  readonly options?: Readonly<Record<string, string>>;
  /** As the front matter of a task set them. */
  readonly task?: Readonly<Record<string, unknown>>;
  /** The governance contract that was added to the assembly's: absolute path (V-1). */
  readonly governance?: string;
  /** Its SHA-256. */
  readonly governance_sha256?: string;
  /** Declared slots: the variable → its absolute path. */
  readonly slots?: Readonly<Record<string, string>>;
}

/** What ran in a sandbox: the commands of agents, or hooks and gates too; and whether those had the network (I-13). */
export interface Sandboxed {
  readonly covers: 'agent' | 'all';
  readonly network: boolean;
}

/** How a stage ended, and what it left. */
export interface StageEnding {
  readonly exit: number;
  readonly cause: Cause;
  readonly reason?: string;
  /** `before`, `success`, or the check's file or name. */
  readonly failed?: string;
  readonly output?: SealedFile;
  readonly sealed: boolean;
  /** Whether any check beyond "an output exists" judged what was sealed. */
  readonly judged: boolean;
  readonly attempts: number;
  readonly session?: { readonly sha256: string; readonly lines: number };
}

/** A program that judged or prepared something, and what it left. */
export interface ProgramEvidence {
  readonly file: string;
  readonly exit: number | null;
  readonly capture: string;
  readonly capture_sha256: string;
  readonly sha256: string;
  readonly ms: number;
  readonly overflow?: true;
}

interface EventFields extends GovernedFields {
  run_start: {
    readonly record: 1;
    readonly runtime: { readonly name: string; readonly version: string; readonly node: string };
    readonly run: string;
    /** Absolute path of the assembly at the time. */
    readonly assembly: string;
    readonly assembly_hash: string;
    readonly flow: string;
    readonly request: SealedFile & { readonly from: 'argument' | 'file' | 'task' | 'stdin' | 'none' | 'call' };
    readonly workdir: string;
    /** Of an isolated run: the working tree that its own, `workdir`, was made from. */
    readonly isolated_from?: string;
    /** What the agent's commands, and with `all` also hooks and gates, were contained in (I-13). */
    readonly sandbox?: Sandboxed;
    readonly model_source: ModelSource;
    readonly correlation?: string;
    /** The run that this one resumes or replays. */
    readonly continued_from?: string;
    readonly asked?: Asked;
    /** Of a child run: who called it, as the caller's record says. */
    readonly child?: Where & { readonly n: number; readonly item?: string; readonly depth: number };
  };
  run_end: {
    readonly exit: number;
    readonly cause: Cause;
    readonly reason?: string;
    /** The stage that ended the run, when one did. */
    readonly stage?: string;
    readonly pending?: readonly string[];
    /** SHA-256 of manifest.sha256. */
    readonly manifest?: string;
  };
  stage_start: {
    readonly received: readonly { readonly name: string; readonly path: string; readonly sha256: string }[];
    readonly options: Readonly<Record<string, Sourced>>;
    /** The names of the slots the stage has. */
    readonly slots: readonly string[];
    readonly workdir: string;
    readonly tools: readonly string[];
    readonly skills: readonly string[];
    readonly worker?: string;
  };
  prompt: { readonly system_sha256: string; readonly first_turn_sha256: string };
  turn: {
    readonly provider: string;
    readonly model: string;
    /** Token counts as the provider reported them; null when it did not. */
    readonly input: number | null;
    readonly output: number | null;
    readonly cache_read: number | null;
    readonly cache_write: number | null;
    readonly cost_usd: number | null;
    readonly stop: string;
    readonly ms: number;
  };
  tool_call: {
    readonly tool: string;
    readonly decision: ControlDecision;
    readonly item?: number;
    readonly evidence?: string;
    /** `continue` or `stop`; the name that was selected. */
    readonly answer?: string;
    readonly reason?: string;
  };
  check: {
    readonly check: CheckName;
    readonly file?: string;
    /** A program's own; else 0 pass, 1 fail; null when killed. */
    readonly exit: number | null;
    readonly capture: string;
    readonly capture_sha256: string;
    /** Of the executable. */
    readonly sha256?: string;
    readonly ms: number;
    readonly overflow?: true;
    /** By the contracts; absent when all could be. */
    readonly unevaluated?: readonly UnevaluatedClause[];
  };
  gate_start: { readonly file: string; readonly sha256: string };
  hook: ProgramEvidence & { readonly hook: 'before' | 'success' | 'failure' };
  hash_drift: { readonly file: string; readonly expected: string; readonly found: string };
  stage_end: StageEnding;
  stage_carried: {
    readonly from: string;
    readonly output: SealedFile;
    /** The step of the root sequence that the output is carried for: the stage itself, or the container it ended. */
    readonly entry?: string;
    /** The name under which the next step receives it. */
    readonly name?: string;
    /** How many outputs of that step are carried. */
    readonly of?: number;
    /** The options that the stage ran with. */
    readonly options?: Readonly<Record<string, Sourced>>;
  };
  /** Between the start and the end of a stage: an earlier run's output passed the checks, and no agent worked. */
  stage_reused: { readonly from: string; readonly output: SealedFile };
  provider_retry: { readonly attempt: number; readonly status?: number; readonly delay_ms: number };
  chose: { readonly chose: string; readonly declined: readonly string[]; readonly reason: string };
  loop_done: { readonly repeats: number; readonly ended_by: string; readonly reason?: string };
  parallel_done: { readonly branches: Readonly<Record<string, Cause>>; readonly concurrent: number };
  fanout_start: { readonly items: number; readonly subflow: string; readonly width: number };
  fanout_done: { readonly items: number; readonly concurrent: number; readonly cause: Cause };
  subflow_start: {
    readonly n: number;
    readonly flow: string;
    readonly item?: string;
    readonly depth: number;
    readonly input: { readonly sha256: string; readonly bytes: number };
  };
  subflow_call: {
    readonly n: number;
    readonly flow: string;
    readonly item?: string;
    readonly depth: number;
    readonly input: { readonly sha256: string; readonly bytes: number };
    readonly cause: Cause;
    readonly exit: number;
    readonly reason?: string;
    readonly output?: SealedFile;
    readonly record_sha256: string;
  };
  signal: { readonly signal: number; readonly name: string };
  tmp_teardown: { readonly reason: string };
}

export type EventName = keyof EventFields;
/** What the runtime says happened, before the writer stamps it. */
export type Fact = { [N in EventName]: { readonly event: N } & Where & EventFields[N] }[EventName];
export type FactOf<N extends EventName> = Extract<Fact, { event: N }>;
/** A line of the record: the fact with its time (RFC 3339 UTC, milliseconds) and the hash of the line before it. */
export type RecordEvent = Fact & { readonly ts: string; readonly prev: string };
