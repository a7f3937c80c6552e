import type { Step } from '@gated-flow/assembly';
import { walkChoose } from './choose.js';
import { walkFanout } from './fanout.js';
import { walkLoop } from './loop.js';
import { walkParallel } from './parallel.js';
import type { Pass, Performer, Walked, Walking } from './walk.js';

/** Runs the steps in order, each on what the one directly before it left, until one does not succeed. A question is the last one's. */
export async function walkSequence(steps: readonly Step[], { given, question, ...pass }: Pass, performer: Performer): Promise<Walked> {
  const walking: Walking = { performer, walk: (inside, at) => walkSequence(inside, at, performer) };
  let walked: Walked | null = null;
  for (const [index, step] of steps.entries()) {
    const last = index === steps.length - 1;
    const at: Pass = { ...pass, given: walked?.outputs ?? given, ...(last && question !== undefined ? { question } : {}) };
    walked = await walkStep(step, at, walking);
    if (walked.outputs === null) return walked;
  }
  if (walked === null) throw new Error('a sequence has at least one step');
  return walked;
}

async function walkStep(step: Step, pass: Pass, walking: Walking): Promise<Walked> {
  const { performer } = walking;
  const stopped = performer.stopped();
  if (stopped) return { ending: stopped, stage: step.path, outputs: null };
  switch (step.type) {
    case 'STAGE':
      return performer.runStage(step, pass);
    case 'LOOP':
      return walkLoop(step, pass, walking);
    case 'CHOOSE':
      return walkChoose(step, pass, walking);
    case 'PARALLEL':
      return walkParallel(step, pass, walking);
    case 'FANOUT':
      return walkFanout(step, pass, performer);
  }
}
