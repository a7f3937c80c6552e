import type { Refuse } from '../read/reading.js';
import { flowsWithin, placesOf } from '../steps.js';
import type { Branch, Step } from '../tree.js';
import type { Rule } from './rule.js';

/** A sequence ends in a stage, and no branch is directly a PARALLEL (G-2). A FANOUT has a stage directly after it (G-6). */
export const sequencesEndInStage: Rule = (assembly, refuse) => {
  for (const { flow } of flowsWithin(assembly)) {
    judgeSequence(flow.steps, refuse);
    for (const { step } of placesOf(flow)) judgeInside(step, refuse);
  }
};

function judgeInside(step: Step, refuse: Refuse): void {
  if (step.type === 'LOOP') judgeSequence(step.steps, refuse);
  if (step.type === 'CHOOSE') for (const branch of step.alternatives) judgeBranch(branch, refuse);
  if (step.type === 'PARALLEL') for (const branch of step.branches) judgeBranch(branch, refuse);
}

function judgeBranch(branch: Branch, refuse: Refuse): void {
  const [only] = branch.steps;
  if (only?.path !== branch.path) judgeSequence(branch.steps, refuse);
  else if (only.type === 'PARALLEL') {
    refuse(
      'tail-container',
      only.entry,
      'A branch or alternative hands on one output, and a PARALLEL has several. Make it a folder of numbered stages: the PARALLEL first, then a stage that joins what its branches wrote.',
    );
  }
}

function judgeSequence(steps: readonly Step[], refuse: Refuse): void {
  steps.forEach((step, index) => {
    if (step.type === 'STAGE') return;
    const next = steps[index + 1];
    if (!next) {
      refuse(
        'tail-container',
        step.entry,
        `This ${step.type} is the last step here, and a sequence ends in a stage: its output is what goes on. Add a stage after it.`,
      );
    } else if (step.type === 'FANOUT' && next.type !== 'STAGE') {
      refuse('tail-container', step.entry, `A ${next.type} comes directly after this FANOUT, and a stage has to. Put one between them.`);
    }
  });
}
