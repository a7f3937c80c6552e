/** A contract as it is judged: typed, inherited, every clause with its action and its place. */

export const ACTIONS = ['warn', 'block', 'rollback', 'halt_and_alert'] as const;
/** Weakest first (C-2). */
export type Action = (typeof ACTIONS)[number];

export const CLAUSE_TYPES = ['requires', 'invariant', 'limits', 'assert', 'must', 'must_not', 'ensures'] as const;
/** In the order of evaluation (C-3). */
export type ClauseType = (typeof CLAUSE_TYPES)[number];

export const LIMIT_KEYS = ['max_tokens', 'max_input_tokens', 'max_latency_ms', 'max_cost_usd', 'max_tool_calls', 'max_steps'] as const;
export type LimitKey = (typeof LIMIT_KEYS)[number];

/** Where something stands: the file as it was named, line and column from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `from` is where the file lies: what a path beside it is relative to. */
export interface Origin extends Place {
  readonly from: string;
}

interface ClauseBase {
  /** The assertion's name, the limit's key, or `must[0]`. */
  readonly name: string;
  /** What a person reads: the clause's sentence, or what stands for it. */
  readonly text: string;
  readonly description?: string;
  readonly severity: Action;
  readonly origin: Origin;
}

export type Sentence = ClauseBase & {
  readonly type: 'requires' | 'invariant' | 'must' | 'must_not' | 'ensures';
  readonly judge: 'deterministic' | 'llm';
};

export type Limit = ClauseBase & { readonly type: 'limits'; readonly key: LimitKey; readonly most: number };

export type Assertion = ClauseBase & { readonly type: 'assert'; readonly check: AssertionCheck };

export type AssertionCheck =
  | { readonly kind: 'pattern'; readonly mustNotMatch?: string; readonly mustMatch?: string }
  | { readonly kind: 'schema'; readonly schema: unknown }
  | { readonly kind: 'llm'; readonly prompt: string; readonly passWhen: string; readonly model?: string }
  | { readonly kind: 'cost'; readonly maxUsd: number }
  | { readonly kind: 'latency'; readonly maxMs: number }
  /** `given` is the whole assertion as written. */
  | { readonly kind: 'custom'; readonly plugin: string; readonly given: Readonly<Record<string, unknown>> };

export type Clause = Sentence | Limit | Assertion;

export interface Contract {
  readonly agent: string;
  /** The path or URL as it was named: what the audit says. */
  readonly path: string;
  readonly version: string;
  readonly specVersion: string;
  readonly description?: string;
  readonly author?: string;
  readonly created?: string;
  readonly tags: readonly string[];
  /** What the agent may do. Kept and shown, never evaluated (C-3). */
  readonly can: readonly string[];
  /** In the order of evaluation; inherited ones first within a section. */
  readonly clauses: readonly Clause[];
  /** Action for clauses of this file that nothing overrides. */
  readonly defaultAction: Action;
  /** The files it is made of, itself first, then what it extends. */
  readonly files: readonly ContractFile[];
}

export interface ContractFile {
  readonly path: string;
  readonly sha256: string;
}

/** One thing wrong, or likely wrong, with a contract file (C-1). */
export interface ContractFault extends Place {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** What to write instead, where that is known. */
  readonly fix?: string;
}

export type ContractResult =
  | { readonly ok: true; readonly contract: Contract; readonly warnings: readonly ContractFault[] }
  | { readonly ok: false; readonly faults: readonly ContractFault[] };

/** Whether the first action is weaker than the second. */
export function isWeaker(first: Action, second: Action): boolean {
  return ACTIONS.indexOf(first) < ACTIONS.indexOf(second);
}

export function stronger(first: Action, second: Action): Action {
  return isWeaker(first, second) ? second : first;
}

/** `must[0]` and the like are not known before a contract is whole, so clauses are numbered last. */
export function named(clauses: readonly Clause[]): Clause[] {
  const counts = new Map<ClauseType, number>();
  return clauses.map((clause) => {
    if (clause.type === 'assert' || clause.type === 'limits') return clause;
    const count = counts.get(clause.type) ?? 0;
    counts.set(clause.type, count + 1);
    return { ...clause, name: `${clause.type}[${count}]` };
  });
}

export function inOrder(clauses: readonly Clause[]): Clause[] {
  return CLAUSE_TYPES.flatMap((type) => clauses.filter((clause) => clause.type === type));
}
