/** What a picture says of a step, in words. Neither redacted nor escaped. */
import { counted } from '@gated-flow/text';
import { calledByAll, type Picture, type PictureFlow, type PictureStep } from './picture.js';

/** What a container is and is bounded by: `LOOP, at most 3 times`. Empty for a stage. */
export function boundsOf(step: PictureStep): string {
  switch (step.type) {
    case 'STAGE':
      return '';
    case 'LOOP':
      return step.question === null ? `LOOP, ${counted(step.repeat, 'time')}` : `LOOP, at most ${counted(step.repeat, 'time')}`;
    case 'CHOOSE':
      return `CHOOSE, one of ${step.branches.length}`;
    case 'PARALLEL': {
      const { width, branches } = step;
      return `PARALLEL, ${counted(branches.length, 'branch', 'branches')}, ${width >= branches.length ? 'all' : width} at once`;
    }
    case 'FANOUT':
      return `FANOUT, ${step.subflow} for each of "${step.items}", ${step.width} at once, at most ${step.max_items}`;
  }
}

/** What a loop's last agent is asked before it goes round again. */
export function questionOf(step: PictureStep): string | null {
  return step.type === 'LOOP' && step.question !== null ? step.question.trim().replaceAll(/\s+/g, ' ') : null;
}

/** `DESCEND, at most 3 deep`, or how a flow is there. */
export function kindOf({ type, max_depth: depth }: PictureFlow, called: boolean): string {
  if (type === 'DESCEND') return `DESCEND, at most ${depth ?? 1} deep`;
  return called ? 'runs when called' : 'FLOW';
}

/** The flows that only this agent may call, beside those that all of its flow may. */
export function ownCalls(step: PictureStep, flow: PictureFlow, picture: Picture): readonly string[] {
  if (step.type !== 'STAGE' && step.type !== 'CHOOSE') return [];
  const shared = calledByAll(flow);
  return namesOf(
    step.calls.filter((path) => !shared.includes(path)),
    picture,
  );
}

/** Names of flows; a name that two have is told by its folder. */
export function namesOf(paths: readonly string[], { flows }: Picture): readonly string[] {
  return paths.map((path) => {
    const name = flows.find((flow) => flow.path === path)?.name ?? path;
    return flows.filter((flow) => flow.name === name).length > 1 ? path : name;
  });
}

/** The picture in sentences, for who cannot see it; at most `length` characters. */
export function spokenOf(picture: Picture, length: number): string {
  const sentences = picture.flows.map((flow) => `${flow.name}: ${flow.steps.map(spokenStep).join(', then ')}.`);
  const text = sentences.join(' ');
  return text.length <= length ? text : `${text.slice(0, length)} …`;
}

function spokenStep(step: PictureStep): string {
  const inner = (steps: readonly PictureStep[]): string => steps.map(spokenStep).join(', then ');
  switch (step.type) {
    case 'STAGE':
      return `${step.title}, which writes ${step.output}`;
    case 'LOOP':
      return `${step.title}, ${boundsOf(step)} (${inner(step.steps)})`;
    case 'CHOOSE':
    case 'PARALLEL':
      return `${step.title}, ${boundsOf(step)} (${step.branches.map(({ name, steps }) => `${name}: ${inner(steps)}`).join('; ')})`;
    case 'FANOUT':
      return `${step.title}, ${boundsOf(step)}`;
  }
}
