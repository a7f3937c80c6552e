/** The picture as a mermaid flowchart. Every name is inside quotes, with all that means something to mermaid, or to a page, as a number. Pure. */
import { escapeName } from '@gated-flow/text';
import { calledByAll, type Picture, type PictureFlow, type PictureStep } from './picture.js';
import { boundsOf, kindOf, questionOf } from './words.js';

const LABEL_MAX = 120;

interface Drawing {
  readonly lines: string[];
  readonly links: string[];
  /** Of a flow's path: the id of its box. */
  boxOf(path: string): string | undefined;
  id(): string;
}

/** Ends with a line feed. */
export function pictureMermaid(picture: Picture): string {
  let count = 0;
  const boxes = new Map(picture.flows.map(({ path }, index) => [path, `f${index + 1}`]));
  const drawing: Drawing = { lines: [], links: [], boxOf: (path) => boxes.get(path), id: () => `s${(count += 1)}` };
  drawing.lines.push('flowchart TD', `  accTitle: ${plain(`Flow ${picture.name}`)}`);
  if (picture.agent !== null) {
    drawing.lines.push(`  agent{{${label([picture.name, 'the assembly agent'])}}}`);
    for (const path of picture.agent.calls) link(drawing, 'agent', path, 'may call');
  }
  for (const flow of picture.flows) drawFlow(flow, { drawing, called: picture.agent === null && flow !== picture.flows[0] });
  return `${[...drawing.lines, ...drawing.links].join('\n')}\n`;
}

function drawFlow(flow: PictureFlow, { drawing, called }: { drawing: Drawing; called: boolean }): void {
  const box = drawing.boxOf(flow.path) ?? 'f0';
  const shared = calledByAll(flow);
  drawing.lines.push(`  subgraph ${box} [${label([flow.name, kindOf(flow, called)])}]`);
  const input = `${box}in`;
  drawing.lines.push(`    ${input}([${label([called ? 'input' : 'request'])}])`);
  const ends = drawSteps(flow.steps, { drawing, shared, indent: '    ' }, [{ from: input, said: null }]);
  drawing.lines.push(`    ${box}out([${label(['output'])}])`);
  join(drawing, ends, `${box}out`);
  drawing.lines.push('  end');
  for (const path of shared) link(drawing, box, path, 'every agent may call');
}

/** Where a line comes from, and what is written on it. */
interface End {
  readonly from: string;
  readonly said: string | null;
}

interface Within {
  readonly drawing: Drawing;
  readonly shared: readonly string[];
  readonly indent: string;
}

function drawSteps(steps: readonly PictureStep[], within: Within, ends: readonly End[]): readonly End[] {
  return steps.reduce<readonly End[]>((before, step) => drawStep(step, within, before), ends);
}

function drawStep(step: PictureStep, within: Within, ends: readonly End[]): readonly End[] {
  const { drawing, shared, indent } = within;
  const id = drawing.id();
  const inner = { ...within, indent: `${indent}  ` };
  const put = (node: string): void => {
    drawing.lines.push(`${indent}${id}${node}`);
    join(drawing, ends, id);
  };
  if (step.type === 'STAGE' || step.type === 'CHOOSE')
    for (const path of step.calls) if (!shared.includes(path)) link(drawing, id, path, 'may call');
  switch (step.type) {
    case 'STAGE':
      put(`[${label([step.title, `→ ${step.output}`, ...(step.checks.length === 0 ? [] : [step.checks.join(', ')])])}]`);
      return [{ from: id, said: null }];
    case 'FANOUT':
      put(`[[${label([step.title, boundsOf(step)])}]]`);
      for (const path of step.calls) link(drawing, id, path, 'for each');
      return [{ from: id, said: null }];
    case 'LOOP': {
      const question = questionOf(step);
      put(`(${label([step.title, boundsOf(step)])})`);
      drawing.lines.push(`${indent}subgraph ${id}in [${label([step.title])}]`);
      const after = drawSteps(step.steps, inner, [{ from: id, said: null }]);
      drawing.lines.push(`${indent}end`);
      for (const { from } of after)
        drawing.links.push(`  ${from} -. ${label([question === null ? 'again' : `again: ${question}`])} .-> ${id}`);
      return after;
    }
    case 'CHOOSE':
    case 'PARALLEL':
      put(step.type === 'CHOOSE' ? `{${label([step.title, boundsOf(step)])}}` : `{{${label([step.title, boundsOf(step)])}}}`);
      return step.branches.flatMap(({ name, steps }) => drawSteps(steps, within, [{ from: id, said: name }]));
  }
}

function join({ links }: Drawing, ends: readonly End[], to: string): void {
  for (const { from, said } of ends) links.push(said === null ? `  ${from} --> ${to}` : `  ${from} -- ${label([said])} --> ${to}`);
}

function link({ links, boxOf }: Drawing, from: string, path: string, said: string): void {
  const to = boxOf(path);
  // A line from a box into itself is none that mermaid can draw.
  if (to !== undefined && to !== from) links.push(`  ${from} -. ${label([said])} .-> ${to}`);
}

function label(parts: readonly string[]): string {
  return `"${parts.map(quoted).join('<br/>')}"`;
}

/** Letters, digits and a few marks stay; everything else is a number that mermaid turns back. */
function quoted(text: string): string {
  const shown = escapeName(text);
  const cut = [...shown].length > LABEL_MAX ? `${[...shown].slice(0, LABEL_MAX).join('')}…` : shown;
  return cut.replace(/[^\p{L}\p{M}\p{N} .,:_/()→…-]/gu, (character) => `#${character.codePointAt(0) ?? 63};`);
}

function plain(text: string): string {
  return escapeName(text).replace(/[^\p{L}\p{M}\p{N} ._-]/gu, ' ');
}
