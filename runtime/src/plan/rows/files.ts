import type { Stage, Step } from '@gated-flow/assembly';
import { compareBytes } from '@gated-flow/text';

/** The sentinel, then the recognised files in name order, relative to the step's folder (G-10). */
export function filesOf(step: Step): readonly string[] {
  const inside = (path: string): string => (path.startsWith(`${step.entry}/`) ? path.slice(step.entry.length + 1) : fileName(path));
  const sentinel = step.entry === '.' ? step.sentinel : inside(step.sentinel);
  if (step.type !== 'STAGE') return [sentinel];
  return [sentinel, ...recognised(step, step.entry === '.' ? (path) => path : inside).sort(compareBytes)];
}

function recognised(stage: Stage, inside: (path: string) => string): string[] {
  return [
    ...stage.gates.map(({ name }) => name),
    ...Object.values(stage.hooks).map(({ name }) => name),
    ...(stage.schema === undefined ? [] : [inside(stage.schema.path)]),
    ...(stage.contract === undefined ? [] : [inside(stage.contract)]),
  ];
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
