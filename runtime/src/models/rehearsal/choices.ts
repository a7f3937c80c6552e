import { nearest } from '@gated-flow/assembly';
import type { PlanRow } from '../../plan/plan.js';

export type Choices =
  { readonly ok: true; readonly choose: Readonly<Record<string, string>> } | { readonly ok: false; readonly message: string };

/** Reads `STAGE=NAME` words: the choices of the plan, and what a rehearsal selects there (M-6). The first that names nothing is told. */
export function readChoices(words: readonly string[], rows: readonly Pick<PlanRow, 'step'>[]): Choices {
  const known = alternativesOf(rows);
  const choose: [string, string][] = [];
  for (const word of words) {
    const [stage = '', name = '', ...more] = word.split('=');
    if (stage === '' || name === '' || more.length > 0) return wrong(word, 'say STAGE=NAME.');
    const names = known.get(stage);
    if (!names) return wrong(word, noSuchChoice(stage, [...known.keys()]));
    if (!names.has(name)) return wrong(word, `${stage} has no alternative "${name}". It has: ${[...names].join(', ')}.`);
    choose.push([stage, name]);
  }
  return { ok: true, choose: Object.fromEntries(choose) };
}

/** Flows may have choices of one path: what any of them has may be named. */
function alternativesOf(rows: readonly Pick<PlanRow, 'step'>[]): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const { step } of rows) {
    if (step?.type !== 'CHOOSE') continue;
    known.set(step.path, new Set([...(known.get(step.path) ?? []), ...step.alternatives.map(({ name }) => name)]));
  }
  return known;
}

function noSuchChoice(stage: string, known: readonly string[]): string {
  if (known.length === 0) return 'nothing is chosen in this run.';
  const meant = nearest(stage, known);
  return `there is no choice "${stage}".${meant === undefined ? '' : ` Did you mean "${meant}"?`} There is: ${known.join(', ')}.`;
}

function wrong(word: string, why: string): Choices {
  return { ok: false, message: `--rehearse-choose ${JSON.stringify(word)}: ${why}` };
}
