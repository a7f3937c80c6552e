import { nearest } from '@gated-flow/assembly';
import type { RunView, StageView } from '@gated-flow/record';

export type PickedStages =
  { readonly ok: true; readonly stages: readonly [StageView, ...StageView[]] } | { readonly ok: false; readonly message: string };

/** The stage that a word means, every repeat of it: its path in the record, or its last name without the number when only one has it. */
export function pickStages(view: RunView, word: string): PickedStages {
  const paths = [...new Set(view.stages.map(({ stage }) => stage))];
  const path = paths.includes(word) ? word : onlyOf(paths.filter((one) => nameOf(one) === word));
  const [first, ...rest] = view.stages.filter(({ stage }) => stage === path);
  if (first !== undefined) return { ok: true, stages: [first, ...rest] };
  const meant = nearest(word, paths);
  const hint = paths.length === 0 ? 'No stage has started.' : `It has ${paths.slice(0, 20).join(', ')}${paths.length > 20 ? ', …' : ''}.`;
  return { ok: false, message: `The run has no stage ${JSON.stringify(word)}. ${meant === undefined ? hint : `Did you mean ${meant}?`}` };
}

/** The identity of a stage: the last part of its path without the number (A-6). */
export function nameOf(stage: string): string {
  return (stage.split('/').at(-1) ?? stage).replace(/^\d{1,9}-/, '');
}

function onlyOf(paths: readonly string[]): string | undefined {
  return paths.length === 1 ? paths[0] : undefined;
}
