/** What the evaluation asks of its host. */
import type { RunFacts } from '../facts.js';
import type { Verdict } from './check.js';

/** A small model that reads one question and answers it. It has no session and no tools. */
export interface Judge {
  /** `provider/model` */
  readonly name: string;
  /** Never rejects: a judge that cannot be reached answers with the reason. */
  ask(question: JudgeQuestion): Promise<JudgeAnswer>;
}

export interface JudgeQuestion {
  /** The clause in its own words, and the answer by which it passes: for a judge that is played from a script. */
  readonly clause: string;
  readonly passes: string;
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer. */
  readonly schema: object;
}

export type JudgeAnswer =
  | { readonly ok: true; readonly text: string; readonly costUsd?: number | null }
  /** `unevaluated`: nobody is there to be asked, which is no failure. */
  | { readonly ok: false; readonly message: string; readonly unevaluated?: true };

/** Remembers what was judged, by the hash of clause, input, output and model. */
export interface JudgeCache {
  get(key: string): Promise<string | undefined>;
  set(key: string, answer: string): Promise<void>;
}

export interface Judging {
  /** The judges that could be asked, best first; `model` is what an assertion names. None: the clause is unevaluated. */
  candidates(model?: string): readonly Judge[];
  /** Random letters that nobody can guess, for the fence around what is judged. */
  boundary(): string;
  readonly cache?: JudgeCache;
  /** `warn`: a judge that cannot be asked is a warning, not the clause's own action. */
  readonly errors?: 'fail' | 'warn';
}

export interface Plugins {
  /** Runs a plugin's `validate(context, assertion)`. `from` is where its contract lies. Never rejects: a crash is a violation. */
  validate(plugin: PluginCall): Promise<Verdict>;
}

export interface PluginCall {
  readonly plugin: string;
  readonly from: string;
  readonly context: PluginContext;
  readonly assertion: Readonly<Record<string, unknown>>;
}

/** What a plugin is told: copies, never the host's own values. */
export interface PluginContext {
  readonly input: string | null;
  readonly output: string | null;
  readonly tool_calls: readonly { readonly name: string; readonly arguments?: unknown }[] | null;
  readonly duration_ms: number | null;
  readonly cost_usd: number | null;
}

/** A sentence the host decides: its text, or an expression that matches the whole of it (C-4). */
export interface HostFact {
  readonly text: string | RegExp;
  /** Undefined: the host does not know for this run. */
  readonly is: boolean | ((facts: RunFacts, groups: readonly string[]) => boolean | undefined);
}

export interface EvaluationPorts {
  readonly facts?: readonly HostFact[];
  readonly judging?: Judging;
  readonly plugins?: Plugins;
  /** Why there is no judge, for the reader of a report. */
  readonly withoutJudge?: string;
}
