/** What the first and the last line of a record say alike, of a run and of every child run. */
import type { FactOf } from '@gated-flow/record';
import type { Redactor } from '@gated-flow/text';
import type { Prepared } from '../plan/prepare.js';
import type { Ending } from '../stage/decide.js';
import type { Walked } from '../walk/walk.js';
import type { Machine } from './machine.js';
import type { RunOptions } from './options.js';
import { recordedSandbox } from './sandbox.js';

interface Beginning {
  readonly options: RunOptions;
  readonly machine: Pick<Machine, 'version' | 'node'>;
  /** The outermost run's name. */
  readonly run: string;
  readonly flow: string;
  readonly request: FactOf<'run_start'>['request'];
  readonly workdir: string;
}

export function startFields({ plan }: Prepared, { options, machine, run, flow, request, workdir }: Beginning): FactOf<'run_start'> {
  return {
    event: 'run_start',
    record: 1,
    runtime: { name: 'gated-flow', version: machine.version, node: machine.node },
    run,
    assembly: plan.source,
    assembly_hash: plan.assembly.hash,
    flow,
    request,
    workdir,
    ...recordedSandbox(options),
    model_source: options.source,
  };
}

/** The stage is that which ended the run, where it did not end well. */
export function endFields(
  { cause, exit, reason }: Ending,
  stage: string | null,
  redactor: Redactor,
): Omit<FactOf<'run_end'>, 'event' | 'manifest'> {
  return {
    exit,
    cause,
    ...(reason === undefined ? {} : { reason: redactor.text(reason) }),
    ...(stage === null || cause === 'success' ? {} : { stage }),
  };
}

/** What broke before it could end has no stage and hands on nothing. */
export function asWalked(ended: Walked | Ending): Pick<Walked, 'ending' | 'outputs'> & { readonly stage: string | null } {
  return 'ending' in ended ? ended : { ending: ended, stage: null, outputs: null };
}
