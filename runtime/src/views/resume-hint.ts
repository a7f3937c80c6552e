import type { RunView } from '@gated-flow/record';
import { ranOnGiven } from '../given/place.js';

const NAMED = 3;

/** The command that goes on with a run, and what it would do; none when there is nothing that it could carry. The command itself knows better. */
export function resumeHint(
  view: RunView,
  { run, failing }: { readonly run: string; readonly failing: string | null },
): (readonly [string, string])[] {
  if (view.model_source === 'replay' || view.ending?.cause === 'success') return [];
  if (ranOnGiven(view)) return [[`flow stage DIR --from ${run}${wordsOf(view)}`, 'the same stage once more, on the same files']];
  const steps = [
    ...view.stages.map(({ stage, ending }) => ({ root: rootOf(stage), done: ending?.cause === 'success' })),
    ...view.containers.map((one) => ({ root: rootOf(one.stage), done: one.type !== 'FANOUT' || one.cause === 'success' })),
  ];
  const open = new Set(steps.flatMap(({ root, done }) => (done ? [] : [root])));
  const [first = null] = open;
  const failed = failing === null ? first : rootOf(failing);
  const kept = [...new Set(steps.map(({ root }) => root))].filter((root) => root !== failed && !open.has(root));
  if (kept.length === 0) return [];
  const carried = kept.length > NAMED ? `${kept.length} steps` : kept.join(', ');
  return [[`flow resume ${run}${wordsOf(view)}`, `carry ${carried}, run ${failed === null ? 'the rest' : `${failed} again`}`]];
}

/** The command that goes on with a run once leave is given, whatever it could carry (V-5). */
export function resumeCommand(view: RunView, run: string): string {
  return `flow resume ${run}${wordsOf(view)}`;
}

/** The step of the root sequence that a stage belongs to. */
function rootOf(stage: string): string {
  return stage.split('/', 1)[0] ?? stage;
}

function wordsOf({ model_source }: RunView): string {
  if (model_source === 'rehearsal') return ' --rehearse';
  return model_source === 'scripted' ? ' --script FILE' : '';
}
