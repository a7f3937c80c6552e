import type { Refuse } from '../read/reading.js';
import { quoted } from '../read/reading.js';
import { nameOf } from '../snapshot.js';
import { flowsWithin, sequencesIn } from '../steps.js';
import type { Parallel, Step } from '../tree.js';
import type { Rule } from './rule.js';

/** No stage is given two files with one stem (S-3). Stems are compared without regard to case. */
export const inputsDoNotCollide: Rule = (assembly, refuse) => {
  for (const { flow } of flowsWithin(assembly)) judgeSequence(flow.steps, ['request'], refuse);
};

/** `arriving` are the stems that the first step may be given. */
function judgeSequence(steps: readonly Step[], arriving: readonly string[], refuse: Refuse): void {
  let given = arriving;
  for (const step of steps) {
    if (step.type === 'PARALLEL') judgeBranches(step, refuse);
    if (step.type === 'LOOP' && step.repeat > 1) judgeRepeat(step.steps, given, refuse);
    for (const inside of sequencesIn(step)) judgeSequence(inside, given, refuse);
    given = handedOn(step);
  }
}

/** The stems under which a step's output goes on. */
function handedOn(step: Step): readonly string[] {
  if (step.type === 'PARALLEL') return step.branches.map(({ name }) => name);
  if (step.type === 'CHOOSE') return step.alternatives.map(({ name }) => name);
  return step.type === 'FANOUT' ? [] : [step.name];
}

function judgeBranches(parallel: Parallel, refuse: Refuse): void {
  const seen = new Map<string, string>();
  for (const { name, entry } of parallel.branches) {
    const earlier = seen.get(folded(name));
    if (earlier === undefined) seen.set(folded(name), entry);
    else
      refuse(
        'input-collision',
        entry,
        `The stage after the PARALLEL would be given one file each by ${quoted(nameOf(earlier))} and ${quoted(nameOf(entry))}, and both would have the same name. Rename one of them.`,
      );
  }
}

/** From the second repeat on a loop's first stage is given the loop's own input and the last stage's output (G-3). */
function judgeRepeat(steps: readonly Step[], given: readonly string[], refuse: Refuse): void {
  const last = steps.at(-1);
  if (!last) return;
  const twice = handedOn(last).find((name) => given.some((stem) => folded(stem) === folded(name)));
  if (twice === undefined) return;
  refuse(
    'input-collision',
    last.entry,
    `The loop's first stage would be given two files called ${quoted(twice)}: the loop's own input and what this leaves. Rename one of them.`,
  );
}

function folded(stem: string): string {
  return stem.normalize('NFC').toLowerCase();
}
