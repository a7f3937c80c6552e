import { compareBytes } from '@gated-flow/text';
import type { Assembly, Flow, Stage } from './tree.js';

/**
 * The flows that a stage may call, in name order: those of the root, of its own flow and of itself; of one name the narrowest (G-7).
 * A DESCEND is in the scope of its own stages, a plain flow is not (G-8).
 */
export function subflowsInScope(assembly: Pick<Assembly, 'subflows'>, flow: Flow, stage: Pick<Stage, 'subflows'>): readonly Flow[] {
  const itself = flow.type === 'DESCEND' ? [flow] : [];
  const outer = assembly.subflows.filter((subflow) => subflow.path !== flow.path);
  const byName = new Map([...outer, ...itself, ...flow.subflows, ...stage.subflows].map((subflow) => [subflow.name, subflow]));
  return [...byName.values()].sort((a, b) => compareBytes(a.name, b.name));
}
