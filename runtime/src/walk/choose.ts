import type { Choose } from '@gated-flow/assembly';
import { renamed } from './renamed.js';
import type { Pass, Walked, Walking } from './walk.js';

/** Walks the one alternative that its agent selects; what that leaves goes on under the alternative's name (G-4). */
export async function walkChoose(choose: Choose, pass: Pass, { performer, walk }: Walking): Promise<Walked> {
  const chosen = await performer.choose(choose, pass);
  if (!chosen.ok) return { ending: chosen.ending, stage: choose.path, outputs: null };
  const alternative = choose.alternatives.find(({ name }) => name === chosen.name);
  if (!alternative) throw new Error(`${choose.path} has no alternative ${chosen.name}`);
  const walked = await walk(alternative.steps, pass);
  if (walked.outputs === null) return walked;
  return { ...walked, outputs: walked.outputs.map((output) => renamed(output, alternative.name)) };
}
