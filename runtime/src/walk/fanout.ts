import type { Fanout } from '@gated-flow/assembly';
import { fault } from '../stage/ending.js';
import { bounded } from './bounded.js';
import type { ItemEnded, ItemRun, Pass, Performer, Walked } from './walk.js';

/**
 * Runs its subflow once for every item of a list, at most `width` at once, by id. An ordinary failure stops no sibling, and all must
 * succeed; the first failing one by id is the ending (G-6).
 */
export async function walkFanout(fanout: Fanout, { given }: Pass, performer: Performer): Promise<Walked> {
  const [list] = given;
  if (!list || given.length > 1) throw new Error(`${fanout.path} is given ${given.length} files and works on one`);
  const [text, { readItems }] = await Promise.all([performer.readText(list), import('./items.js')]);
  const read =
    text === null ? { ok: false as const, reason: 'The list cannot be worked through: it is not UTF-8.' } : readItems(text, fanout);
  if (!read.ok) return { ending: fault(read.reason), stage: fanout.path, outputs: null };

  const { path: stage, subflow, width } = fanout;
  const { items } = read;
  performer.record({ event: 'fanout_start', stage, items: items.length, subflow, width });
  const { results, concurrent } = await bounded(items, {
    width,
    goOn: () => performer.stopped() === null,
    run: async (item) => ({ item, ended: await performer.runItem(fanout, item) }),
  });
  const walked = endingOf(fanout, { items, ended: results.map(({ result }) => result) }, performer);
  performer.record({ event: 'fanout_done', stage, items: items.length, concurrent, cause: walked.ending.cause });
  return walked;
}

interface Work {
  readonly items: readonly ItemRun[];
  readonly ended: readonly { readonly item: ItemRun; readonly ended: ItemEnded }[];
}

function endingOf({ path: stage }: Fanout, { items, ended }: Work, performer: Performer): Walked {
  const failed = ended.filter((one) => one.ended.output === null);
  const stopped = failed.length > 0 || ended.length < items.length ? performer.stopped() : null;
  if (stopped) return { ending: stopped, stage, outputs: null };
  const [first] = failed;
  if (first) {
    const { cause, exit, reason } = first.ended;
    const count = failed.length === 1 ? '' : `${failed.length} of ${items.length} items did not succeed; the first: `;
    return { ending: { cause, exit, reason: `${count}${first.item.id}: ${reason ?? cause}` }, stage, outputs: null };
  }
  return { ending: { cause: 'success', exit: 0 }, stage, outputs: ended.flatMap((one) => one.ended.output ?? []) };
}
