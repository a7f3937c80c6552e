import type { Loop } from '@gated-flow/assembly';
import { renamed } from './renamed.js';
import type { Pass, Walked, Walking } from './walk.js';

/**
 * Repeats its sequence: as often as the author wrote, or until the answer to the question is `stop` (G-3). From the second repeat on
 * the first step is given the loop's own input and what the repeat before left.
 */
export async function walkLoop(loop: Loop, { given }: Pass, { performer, walk }: Walking): Promise<Walked> {
  const asked = loop.question === undefined ? {} : { question: loop.question };
  let left: Walked['outputs'] = null;
  for (let repeat = 1; ; repeat += 1) {
    const walked: Walked = await walk(loop.steps, { given: [...given, ...(left ?? [])], repeat, ...asked });
    const done = (ended_by: string, reason?: string): void =>
      performer.record({ event: 'loop_done', stage: loop.path, repeats: repeat, ended_by, ...(reason === undefined ? {} : { reason }) });

    if (walked.outputs === null) {
      done(walked.ending.cause, walked.ending.reason);
      return walked;
    }
    const { answer } = walked;
    if (answer ? answer.answer === 'stop' : repeat === loop.repeat) {
      done(answer ? 'stop' : 'limit', answer?.reason);
      return { ending: walked.ending, stage: loop.path, outputs: walked.outputs.map((output) => renamed(output, loop.name)) };
    }
    if (repeat === loop.repeat) {
      done('limit', answer?.reason);
      return { ending: ranOut(loop, answer?.reason), stage: loop.path, outputs: null };
    }
    left = walked.outputs;
  }
}

function ranOut({ repeat }: Loop, reason = ''): Walked['ending'] {
  const sentence = `After the last of ${repeat} repeats the answer was still to go on`;
  return { cause: 'rejected', exit: 1, reason: reason === '' ? `${sentence}.` : `${sentence}: ${reason}` };
}
