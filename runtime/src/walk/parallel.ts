import type { Branch, Parallel } from '@gated-flow/assembly';
import { compareBytes } from '@gated-flow/text';
import { bounded } from './bounded.js';
import { renamed } from './renamed.js';
import type { Pass, Performer, Walked, Walking } from './walk.js';

/**
 * Walks its branches on the same input, at most `width` at once, in name order. After a failure the running ones finish and no other
 * begins; the first failing one in name order is the ending (G-5).
 */
export async function walkParallel(parallel: Parallel, pass: Pass, { performer, walk }: Walking): Promise<Walked> {
  const branches = [...parallel.branches].sort((a, b) => compareBytes(a.name, b.name));
  let failed = false;
  const { results, concurrent } = await bounded(branches, {
    width: parallel.width,
    goOn: () => !failed && performer.stopped() === null,
    async run(branch) {
      const walked = await walk(branch.steps, pass);
      failed ||= walked.outputs === null;
      return { branch, walked };
    },
  });
  const ended = results.map(({ result }) => result);
  const causes = Object.fromEntries(ended.map(({ branch, walked }) => [branch.name, walked.ending.cause]));
  performer.record({ event: 'parallel_done', stage: parallel.path, ...repeatOf(pass), branches: causes, concurrent });
  return endingOf(parallel, ended, performer);
}

function endingOf(parallel: Parallel, ended: readonly { branch: Branch; walked: Walked }[], performer: Performer): Walked {
  const first = ended.find(({ walked }) => walked.outputs === null);
  if (first) return first.walked;
  const stopped = ended.length < parallel.branches.length ? performer.stopped() : null;
  if (stopped) return { ending: stopped, stage: parallel.path, outputs: null };
  const outputs = ended.flatMap(({ branch, walked }) => (walked.outputs ?? []).map((output) => renamed(output, branch.name)));
  return { ending: { cause: 'success', exit: 0 }, stage: parallel.path, outputs };
}

function repeatOf({ repeat }: Pass): { repeat?: number } {
  return repeat === undefined ? {} : { repeat };
}
