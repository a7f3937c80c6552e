import { elapsedBetween } from './elapsed.js';
import type { FactOf, RecordEvent } from './events.js';
import type { ContainerView, RunEnding, RunView, StageView, SubflowView } from './run-view.js';
import { createSharing } from './sharing.js';
import type { StageFold } from './stage-fold.js';
import { createStageFold } from './stage-fold.js';
import { addTurn, noUsage } from './usage.js';

/** Gathers a record's events, one by one, into what they say. Any prefix of a record folds. */
export interface RunFold {
  add(event: RecordEvent): void;
  /** Null before the `run_start`. */
  view(): RunView | null;
}

/** The whole fold of events that are at hand. */
export function foldRun(events: Iterable<RecordEvent>): RunView | null {
  const fold = createRunFold();
  for (const event of events) fold.add(event);
  return fold.view();
}

/** What is kept of a stage that is over: for a reading that shows many and needs little of each. */
export type Kept = (stage: StageView) => StageView;

export function createRunFold(keep: Kept = (stage) => stage): RunFold {
  const sharing = createSharing();
  const stages = new Map<string, StageFold | StageView>();
  const containers: ContainerView[] = [];
  const fanouts = new Map<string, ContainerView>();
  const subflows = new Map<string, SubflowView>();
  const signals: string[] = [];
  const authorizations: RunView['authorizations'][number][] = [];
  const usage = noUsage();
  let head: (FactOf<'run_start'> & { readonly ts: string }) | null = null;
  let ending: RunEnding | null = null;
  let last = '';
  let events = 0;
  let contractEvents = 0;
  let governanceEvents = 0;

  // Most events are of the stage that the event before was of.
  let latest: { readonly stage: string; readonly repeat: number | undefined; readonly fold: StageFold } | null = null;

  const foldOf = (event: RecordEvent, stage: string): StageFold | null => {
    const { repeat } = event;
    if (latest !== null && latest.stage === stage && latest.repeat === repeat) return latest.fold;
    const key = keyOf(stage, repeat);
    const known = stages.get(key);
    // A stage that is over is kept as its view, which is smaller than what gathers it; what follows its end is its teardown at most.
    if (known !== undefined && !('add' in known)) {
      stages.set(key, afterEnd(known, event));
      return null;
    }
    const fold = known ?? createStageFold({ ...event, stage }, sharing);
    if (known === undefined) stages.set(key, fold);
    latest = { stage, repeat, fold };
    return fold;
  };

  const addToStage = (event: RecordEvent): void => {
    const { stage, repeat } = event;
    if (stage === undefined) return;
    const fold = foldOf(event, stage);
    fold?.add(event);
    if (fold === null || event.event !== 'stage_end') return;
    stages.set(keyOf(stage, repeat), keep(fold.view()));
    latest = null;
  };

  const addFanout = (event: FactOf<'fanout_start' | 'fanout_done'>): void => {
    const key = event.stage ?? '';
    const known = fanouts.get(key);
    if (known !== undefined) return void Object.assign(known, fanoutOf(event));
    const begun = fanoutOf(event);
    fanouts.set(key, begun);
    containers.push(begun);
  };

  const gather = (event: RecordEvent): void => {
    switch (event.event) {
      case 'run_start':
        head ??= event;
        return;
      case 'run_end':
        ending = endingOf(event);
        return;
      case 'signal':
        return void signals.push(event.name);
      case 'authorization':
        return void authorizations.push(authorizationOf(event));
      case 'contract':
        contractEvents += 1;
        return addToStage(event);
      case 'governance':
        governanceEvents += 1;
        return;
      case 'chose':
      case 'loop_done':
      case 'parallel_done':
        return void containers.push(containerOf(event));
      case 'fanout_start':
      case 'fanout_done':
        return addFanout(event);
      case 'subflow_start':
      case 'subflow_call':
        return void subflows.set(`${event.stage ?? ''}\0${event.repeat ?? 0}\0${event.n}`, subflowOf(event));
      case 'turn':
        addTurn(usage, event);
        return addToStage(event);
      default:
        return addToStage(event);
    }
  };

  return {
    add(event) {
      events += 1;
      last = event.ts;
      gather(event);
    },
    view() {
      if (head === null) return null;
      return {
        ...headOf(head),
        started: head.ts,
        last,
        ms: elapsedBetween(head.ts, last),
        ending,
        stages: Array.from(stages.values(), (stage) => ('add' in stage ? stage.view() : stage)),
        containers,
        subflows: [...subflows.values()],
        usage,
        signals,
        authorizations,
        contract_events: contractEvents,
        governance_events: governanceEvents,
        events,
      };
    },
  };
}

/** Outside loops the stage's own text, which is there anyway. */
function keyOf(stage: string, repeat: number | undefined): string {
  return repeat === undefined ? stage : `${stage}\0${repeat}`;
}

function afterEnd(stage: StageView, event: RecordEvent): StageView {
  return event.event === 'tmp_teardown' ? { ...stage, teardown: event.reason } : stage;
}

function headOf({
  run,
  runtime,
  assembly,
  assembly_hash,
  flow,
  request,
  workdir,
  isolated_from,
  sandbox,
  model_source,
  correlation,
  continued_from,
  asked,
  child,
}: FactOf<'run_start'>) {
  return {
    ...{ run, runtime, assembly, assembly_hash, flow, request, workdir, isolated_from, sandbox },
    ...{ model_source, correlation, continued_from, asked, child },
  };
}

function endingOf({ exit, cause, reason, stage, pending, manifest }: FactOf<'run_end'>): RunEnding {
  return { exit, cause, reason, stage, pending, manifest };
}

function authorizationOf({ id, state, event_hash, target, scope, by, via, stage, repeat, retry, ...more }: FactOf<'authorization'>) {
  const { expires, reason, tool, nth, rule, risks, recovery } = more;
  return {
    ...{ id, state, event_hash, target, scope, by, via, stage, repeat, retry },
    ...{ expires, reason, tool, nth, rule, risks, recovery },
  };
}

function fanoutOf(event: FactOf<'fanout_start' | 'fanout_done'>): ContainerView {
  const about = { stage: event.stage ?? '', type: 'FANOUT' as const, items: event.items };
  if (event.event === 'fanout_done') return { ...about, concurrent: event.concurrent, cause: event.cause };
  return { ...about, subflow: event.subflow, width: event.width, concurrent: null, cause: null };
}

function containerOf(event: FactOf<'chose' | 'loop_done' | 'parallel_done'>): ContainerView {
  const place = { stage: event.stage ?? '', repeat: event.repeat };
  switch (event.event) {
    case 'chose':
      return { ...place, type: 'CHOOSE', chose: event.chose, declined: event.declined, reason: event.reason };
    case 'loop_done':
      return { ...place, type: 'LOOP', repeats: event.repeats, ended_by: event.ended_by, reason: event.reason };
    case 'parallel_done':
      return { ...place, type: 'PARALLEL', branches: event.branches, concurrent: event.concurrent };
  }
}

function subflowOf(event: FactOf<'subflow_start' | 'subflow_call'>): SubflowView {
  const { stage, repeat, retry, n, flow, item, depth, input } = event;
  const about = { stage, repeat, retry, n, flow, item, depth, input };
  if (event.event === 'subflow_start') return { ...about, ending: null };
  const { exit, cause, reason, output, record_sha256 } = event;
  return { ...about, ending: { exit, cause, reason, output, record_sha256 } };
}
