import type { FindingOptions } from '../evaluate/findings.js';
import type { Check } from '../evaluate/check.js';
import type { PreparedContract } from '../evaluate/prepare.js';
import { forbids, guardStream } from './stream-guard.js';

/** How the parts of a stream are held to a contract. */
export interface StreamHold<P> extends FindingOptions {
  readonly prepared: PreparedContract;
  /** The text that a part adds to the output. Called once for each part, in order. */
  textOf(part: P): string;
  /** Whether a part may only go out when everything was judged: a call that somebody would carry out. */
  waits?(part: P): boolean;
  /** Judges the text of all parts so far; rejects when it is withheld. Called once. */
  judge(text: string): Promise<void>;
}

/**
 * The parts of a stream, unaltered and in their order, each held back until nothing forbidden can begin in it (C-12). With a clause
 * that only the whole output can be judged by, all parts wait for its end: what is withheld must not reach anybody before (seed 8).
 * Closed early or late, by an error or by its reader, a stream is judged once.
 */
export async function* heldBack<P>(source: AsyncIterable<P>, hold: StreamHold<P>): AsyncGenerator<P, void, undefined> {
  const { prepared, judge } = hold;
  const guard = guardStream(prepared);
  const waiting: { readonly part: P; readonly end: number }[] = [];
  let text = '';
  let released = 0;
  let allWait = hold.unevaluated === 'fail' || prepared.checks.some(needsWhole);
  let judged = false;
  const conclude = (): Promise<void> => {
    judged = true;
    return judge(text);
  };
  try {
    for await (const part of source) {
      const more = hold.textOf(part);
      text += more;
      waiting.push({ part, end: text.length });
      allWait ||= hold.waits?.(part) ?? false;
      const said = guard.push(more);
      if (!said.ok) {
        await conclude();
        throw new Error('A pattern stopped the stream, and the clause it belongs to was kept.');
      }
      released += said.deliver.length;
      while (!allWait && (waiting[0]?.end ?? Number.POSITIVE_INFINITY) <= released) yield* waiting.splice(0, 1).map((each) => each.part);
    }
    await conclude();
    yield* waiting.map(({ part }) => part);
  } finally {
    // Whoever stopped reading has no use for the error.
    if (!judged) await conclude().catch(() => {});
  }
}

/** A clause that withholds, and that no piece of the output decides. What a run takes is judged at the end, as far as it went. */
function needsWhole(check: Check): boolean {
  const { clause, when, ofOutput, stepText } = check;
  if (clause.severity === 'warn' || clause.type === 'requires' || when === 'never') return false;
  const seesOutput = ofOutput || stepText !== null || when === 'judge';
  return seesOutput && !forbids(check);
}
