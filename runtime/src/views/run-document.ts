import type { RunView, StageView } from '@gated-flow/record';
import type { RunOutcome } from '../run/finish.js';

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
  readonly output: RunOutput | null;
}

export interface RunStage {
  readonly stage: string;
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

export function runDocument(view: RunView, outcome: RunOutcome, output: RunOutput | null): RunDocument {
  const { ending } = outcome;
  const { input, output: produced, cache_read, cache_write, cost_usd } = view.usage;
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
    tokens: { input, output: produced, cache_read, cache_write },
    cost_usd,
    output,
  };
}

function stageRow({ stage, ending, rounds, ms }: StageView): RunStage {
  return {
    stage,
    exit: ending?.exit ?? null,
    cause: ending?.cause ?? null,
    rounds: rounds.length,
    ms,
    output: ending?.sealed ? (ending.output?.path ?? null) : null,
  };
}
