import type { RunView, StageView } from '@gated-flow/record';
import { usageOf } from '../record/child-run.js';
import type { RunOutcome } from '../run/finish.js';

/** The child runs of a run, at any depth: how many have ended, and what they used. */
export interface Below {
  readonly runs: number;
  readonly usage: RunView['usage'];
}

/** What `flow run --json` prints instead of the output: one document for the whole run (E-3, I-2). */
export interface RunDocument {
  readonly kind: 'flow.run';
  readonly version: 1;
  readonly run: string;
  /** Absolute path of the run's folder. */
  readonly folder: string;
  readonly exit: number;
  readonly cause: string;
  readonly reason: string | null;
  /** The stage that ended the run; null for a success. */
  readonly stage: string | null;
  readonly failed: string | null;
  readonly model_source: string;
  readonly stages: readonly RunStage[];
  readonly tokens: {
    readonly input: number | null;
    readonly output: number | null;
    readonly cache_read: number | null;
    readonly cache_write: number | null;
  };
  readonly cost_usd: number | null;
  /** Child runs that ended, at any depth; the tokens and the cost of all of it. */
  readonly with_children: { readonly runs: number; readonly tokens: RunDocument['tokens']; readonly cost_usd: number | null };
  readonly output: RunOutput | null;
  /** Requests for leave that nobody answered: `flow approve RUN ID` (V-5). */
  readonly pending: readonly string[];
}

export interface RunStage {
  readonly stage: string;
  /** Inside a loop. */
  readonly repeat?: number;
  readonly exit: number | null;
  readonly cause: string | null;
  readonly rounds: number;
  readonly ms: number;
  readonly output: string | null;
}

export interface RunOutput {
  /** Absolute path of the sealed bytes. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The bytes themselves, when they are UTF-8 and fewer than 64 KiB. */
  readonly text: string | null;
}

/** `below`: what the child runs come to. */
export function runDocument(
  view: RunView,
  outcome: RunOutcome,
  { output, below }: { output: RunOutput | null; below: Below },
): RunDocument {
  const { ending } = outcome;
  const all = usageOf(view, [below]);
  return {
    kind: 'flow.run',
    version: 1,
    run: outcome.run,
    folder: outcome.folder,
    exit: ending.exit,
    cause: ending.cause,
    reason: ending.reason ?? null,
    stage: ending.cause === 'success' ? null : outcome.stage,
    failed: ending.failed ?? null,
    model_source: view.model_source,
    stages: view.stages.map(stageRow),
    tokens: tokensOf(view.usage),
    cost_usd: view.usage.cost_usd,
    with_children: { runs: below.runs, tokens: tokensOf(all), cost_usd: all.cost_usd },
    output,
    pending: view.ending?.pending ?? [],
  };
}

function tokensOf({ input, output, cache_read, cache_write }: RunView['usage']): RunDocument['tokens'] {
  return { input, output, cache_read, cache_write };
}

function stageRow({ stage, repeat, ending, rounds, ms }: StageView): RunStage {
  return {
    stage,
    ...(repeat === undefined ? {} : { repeat }),
    exit: ending?.exit ?? null,
    cause: ending?.cause ?? null,
    rounds: rounds.filter(({ round }) => round > 0).length,
    ms,
    output: ending?.sealed ? (ending.output?.path ?? null) : null,
  };
}
