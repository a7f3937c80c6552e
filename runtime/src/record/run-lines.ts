/** The lines of a run and of its child runs, each child's where it began (G-6, G-7). */
import { childFolder, type FactOf, openTail, RECORD, type Reading, type RecordLine, type RecordTail } from '@gated-flow/record';
import { childWord } from './child-run.js';
import type { OpenRun } from './find-run.js';
import { runFile } from './read-run.js';
import type { ChildPorts } from './child-run.js';

/** Whose lines they are. */
export interface LinesOf {
  /** The folder in that of the run that is read; null for the run itself. */
  readonly place: string | null;
  /** What names the child runs on the way, outermost first. */
  readonly words: readonly string[];
}

/** Lines of one run that stand together. They are gone when the next are asked for. */
export interface RunLines extends LinesOf {
  readonly lines: readonly RecordLine[];
}

interface Open extends LinesOf {
  readonly tail: RecordTail;
}

export interface RunReading {
  /** What was written since it was last asked. A child's lines stand where it began; one that goes on is read on the next time. */
  more(): AsyncGenerator<RunLines>;
  /** How the run's own record reads so far. */
  reading(): Reading;
  /** Children that were called and have no record here, and those whose record is damaged: their places. */
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
  close(): Promise<void>;
}

/** `own`: without its child runs. Files that are open at a time: one for each run that has not ended. */
export async function readLines(run: OpenRun, { disk }: Pick<ChildPorts, 'disk'>, own: boolean): Promise<RunReading> {
  const outermost: Open = { place: null, words: [], tail: await openTail(`${run.folder}/${RECORD}`) };
  const open = new Set<Open>([outermost]);
  const waiting = new Map<string, { readonly call: FactOf<'subflow_start'>; readonly from: LinesOf }>();
  const damaged: string[] = [];

  async function* drain(one: Open): AsyncGenerator<RunLines> {
    const { place, words } = one;
    for await (const lines of one.tail.more()) {
      let from = 0;
      for (const [index, { event }] of lines.entries()) {
        if (own || event?.event !== 'subflow_start') continue;
        yield { place, words, lines: lines.slice(from, index + 1) };
        from = index + 1;
        yield* begin(event, one);
      }
      if (from < lines.length) yield { place, words, lines: lines.slice(from) };
    }
    if (one === outermost) return;
    const { state } = one.tail.reading();
    if (state === 'incomplete') return;
    if (state === 'invalid') damaged.push(place ?? '');
    open.delete(one);
    await one.tail.close();
  }

  /** A child is called a moment before its record begins. */
  async function* begin(call: FactOf<'subflow_start'>, from: LinesOf): AsyncGenerator<RunLines> {
    const place = from.place === null ? childFolder(call) : `${from.place}/${childFolder(call)}`;
    const file = await runFile(run.folder, `${place}/${RECORD}`, disk);
    if (file === null) return void waiting.set(place, { call, from });
    waiting.delete(place);
    const child: Open = { place, words: [...from.words, childWord(call)], tail: await openTail(file) };
    open.add(child);
    yield* drain(child);
  }

  return {
    async *more() {
      for (const { call, from } of [...waiting.values()]) yield* begin(call, from);
      for (const one of [...open]) yield* drain(one);
    },
    reading: () => outermost.tail.reading(),
    get missing() {
      return [...waiting.keys()];
    },
    damaged,
    async close() {
      for (const { tail } of open) await tail.close();
    },
  };
}
