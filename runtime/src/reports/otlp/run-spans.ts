/** All spans of a run and of its child runs, read from their records and sessions one after the other: in memory that grows with what is open. */
import { type FactOf, parseSessionLine, readRecord, RECORD, type RecordEvent, sessionFile, splitLines } from '@gated-flow/record';
import { childOf, childWord } from '../../record/child-run.js';
import type { OpenRun } from '../../record/find-run.js';
import { runFile } from '../../record/read-run.js';
import type { ReportSource } from '../source.js';
import { spanId, traceId } from './identity.js';
import type { Span, Trace } from './span.js';
import { createStageSpans, type StageSpans } from './stage-spans.js';
import type { ParentSpan } from './traceparent.js';

export interface Tracing {
  readonly parent: ParentSpan | null;
  /** Also what was said, what tools were given, and what they answered. */
  readonly contents: boolean;
}

/** The trace that a run is, or the caller's, that it is part of. */
export function traceOf({ view }: Pick<ReportSource, 'view'>, parent: ParentSpan | null): Trace {
  return { id: parent?.trace ?? traceId(view.run, view.started), state: parent?.state ?? null };
}

/** The run's own span comes last: a span is told once it is over. */
export function runSpans(source: ReportSource, { parent, contents }: Tracing): AsyncGenerator<Span> {
  const trace = traceOf(source, parent).id;
  const root = { trace, run: source.view.run, contents, disk: source.disk };
  return spansOf(source.run, { words: [source.view.run], parent: parent?.span ?? null, ...root });
}

interface Walking extends Pick<ReportSource, 'disk'> {
  readonly trace: string;
  /** Of the outermost. */
  readonly run: string;
  readonly contents: boolean;
  /** What names the run, outermost first. */
  readonly words: readonly string[];
  readonly parent: string | null;
}

type About = Pick<RecordEvent, 'stage' | 'repeat'>;

async function* spansOf(run: OpenRun, walking: Walking): AsyncGenerator<Span> {
  const { trace, words, disk } = walking;
  const file = await runFile(run.folder, RECORD, disk);
  if (file === null) return;
  const id = spanId(trace, [...words, 'workflow']);
  const open = new Map<string, { readonly about: About; readonly spans: StageSpans }>();
  let start: (FactOf<'run_start'> & { readonly ts: string }) | null = null;
  let ending: FactOf<'run_end'> | null = null;
  let last = '';

  for await (const lines of readRecord(file).pieces) {
    for (const { event } of lines) {
      if (event === null) continue;
      last = event.ts;
      if (event.event === 'run_start') start = event;
      else if (event.event === 'run_end') ending = event;
      else if (event.event === 'subflow_start') {
        const caller = open.get(keyOf(event))?.spans.agent ?? id;
        yield* spansOf(childOf(run, { ...event, ending: null }), { ...walking, words: [...words, childWord(event)], parent: caller });
      } else if (isStarted(event)) {
        const spans = createStageSpans(event, { ...walking, words: [...words, wordOf(event)], parent: id });
        open.set(keyOf(event), { about: event, spans });
      } else {
        const stage = open.get(keyOf(event));
        stage?.spans.event(event);
        if (stage === undefined || event.event !== 'stage_end') continue;
        open.delete(keyOf(event));
        yield* finished(stage, last, { run, disk });
      }
    }
  }
  for (const stage of open.values()) yield* finished(stage, last, { run, disk });
  if (start !== null) yield workflowSpan(start, { id, parent: walking.parent, end: Date.parse(last), ending });
}

function isStarted(event: RecordEvent): event is RecordEvent & { readonly stage: string } {
  return event.event === 'stage_start' && event.stage !== undefined;
}

async function* finished(
  { about, spans }: { readonly about: About; readonly spans: StageSpans },
  last: string,
  { run, disk }: { readonly run: OpenRun } & Pick<ReportSource, 'disk'>,
): AsyncGenerator<Span> {
  const file = await runFile(run.folder, sessionFile(about.stage ?? '', about.repeat), disk);
  if (file !== null) {
    for await (const bytes of splitLines(disk.stream(file))) {
      const line = parseSessionLine(bytes);
      if (line !== null) yield* spans.line(line);
    }
  }
  yield* spans.end(Date.parse(last));
}

interface Workflow {
  readonly id: string;
  readonly parent: string | null;
  readonly end: number;
  readonly ending: FactOf<'run_end'> | null;
}

function workflowSpan({ ts, ...start }: FactOf<'run_start'> & { readonly ts: string }, { id, parent, end, ending }: Workflow): Span {
  const cause = ending?.cause;
  return {
    ...{ id, parent, end, kind: 'internal' },
    name: `invoke_workflow ${start.flow}`,
    start: Date.parse(ts),
    status: cause === undefined ? 'unset' : cause === 'success' ? 'ok' : 'error',
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': start.flow,
      'error.type': cause === undefined || cause === 'success' ? null : cause,
      'flow.run': start.run,
      'flow.assembly_hash': start.assembly_hash,
      'flow.model_source': start.model_source,
      'flow.correlation': start.correlation,
      'flow.cause': cause,
      'flow.exit': ending?.exit,
      'flow.item': start.child?.item,
    },
  };
}

function wordOf({ stage = '', repeat }: About): string {
  return repeat === undefined ? stage : `${stage}@${repeat}`;
}

function keyOf({ stage = '', repeat }: About): string {
  return `${stage}\0${repeat ?? 0}`;
}
