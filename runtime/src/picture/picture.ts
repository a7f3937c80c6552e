/** The picture of a flow as plain data: what stands where, what it is bounded by, and who may call whom. Pure. */
import { type Assembly, type Flow, type Step, subflowsInScope } from '@gated-flow/assembly';
import type { Selection } from '../plan/select.js';
import { filesOf } from '../plan/rows/files.js';
import { departure, namesOf } from '../plan/rows/arrival.js';
import { callable } from '../run/callable.js';

export interface Picture {
  /** The flow, or the assembly's folder when its agent chooses among flows. */
  readonly name: string;
  readonly description: string;
  readonly assembly_hash: string;
  /** Only where the assembly agent works: the paths of the flows it may call. */
  readonly agent: { readonly calls: readonly string[] } | null;
  /** First the flow itself when one was selected, then every flow that may be called on the way, in the order in which they are met. */
  readonly flows: readonly PictureFlow[];
}

export interface PictureFlow {
  readonly name: string;
  /** Its folder in the assembly: what `calls` and `subflow` mean. */
  readonly path: string;
  readonly type: Flow['type'];
  readonly description: string;
  /** Of a DESCEND: how often it may stand in one chain of calls (G-8). */
  readonly max_depth?: number;
  readonly steps: readonly PictureStep[];
}

interface Placed {
  readonly path: string;
  /** The last part of the path, with its number. */
  readonly title: string;
}

export type PictureStep =
  | (Placed & {
      readonly type: 'STAGE';
      readonly output: string;
      /** What holds its agent, in the order in which it has its say: `checklist (3)`, `schema.json`, `gate/01-lint.sh`. */
      readonly checks: readonly string[];
      /** Paths of the flows that its agent may call. */
      readonly calls: readonly string[];
    })
  | (Placed & { readonly type: 'LOOP'; readonly repeat: number; readonly question: string | null; readonly steps: readonly PictureStep[] })
  | (Placed & { readonly type: 'CHOOSE'; readonly calls: readonly string[]; readonly branches: readonly PictureBranch[] })
  | (Placed & { readonly type: 'PARALLEL'; readonly width: number; readonly branches: readonly PictureBranch[] })
  | (Placed & {
      readonly type: 'FANOUT';
      readonly items: string;
      readonly subflow: string;
      /** Its flow's path. */
      readonly calls: readonly string[];
      readonly width: number;
      readonly max_items: number;
    });

export interface PictureBranch {
  readonly name: string;
  readonly steps: readonly PictureStep[];
}

/** `name`: what an assembly is called whose agent chooses. */
export function pictureOf(assembly: Assembly, { flow, whole }: Selection, name: string): Picture {
  const roots = whole === null ? [...assembly.flows, ...assembly.subflows] : [whole];
  const flows: PictureFlow[] = [];
  const known = new Set(roots.map(({ path }) => path));
  const queue = [...roots];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const shown = next === whole && flow !== null ? { ...next, steps: flow.steps } : next;
    const drawing: Drawing = { assembly, flow: next, called: [] };
    flows.push({
      ...{ name: next.name, path: next.path, type: next.type, description: next.description },
      ...(next.maxDepth === undefined ? {} : { max_depth: next.maxDepth }),
      steps: shown.steps.map((step) => stepOf(step, drawing)),
    });
    for (const called of drawing.called) {
      if (known.has(called.path)) continue;
      known.add(called.path);
      queue.push(called);
    }
  }
  return {
    name: whole === null || whole.path === '.' ? name : whole.name,
    description: whole === null ? firstLine(assembly.purpose) : whole.description,
    assembly_hash: assembly.hash,
    agent: whole === null ? { calls: roots.map(({ path }) => path) } : null,
    flows,
  };
}

interface Drawing {
  readonly assembly: Assembly;
  readonly flow: Flow;
  readonly called: Flow[];
}

function stepOf(step: Step, drawing: Drawing): PictureStep {
  const placed = { path: step.path, title: step.path.slice(step.path.lastIndexOf('/') + 1) };
  const inside = (steps: readonly Step[]): PictureStep[] => steps.map((one) => stepOf(one, drawing));
  const branches = (all: readonly { readonly name: string; readonly steps: readonly Step[] }[]): PictureBranch[] =>
    all.map(({ name, steps }) => ({ name, steps: inside(steps) }));
  switch (step.type) {
    case 'STAGE': {
      const [output = ''] = namesOf(departure(step, { find: () => undefined }));
      const items = step.checklist.length > 0 ? [`checklist (${step.checklist.length})`] : [];
      const files = filesOf(step)
        .slice(1)
        .filter((file) => /^(?:schema|gate)\b/.test(file));
      return { ...placed, type: 'STAGE', output, checks: [...items, ...files.sort(schemaFirst)], calls: callsOf(step.subflows, drawing) };
    }
    case 'LOOP':
      return { ...placed, type: 'LOOP', repeat: step.repeat, question: step.question ?? null, steps: inside(step.steps) };
    case 'CHOOSE':
      return { ...placed, type: 'CHOOSE', calls: callsOf([], drawing), branches: branches(step.alternatives) };
    case 'PARALLEL':
      return { ...placed, type: 'PARALLEL', width: step.width, branches: branches(step.branches) };
    case 'FANOUT': {
      const found = [...drawing.flow.subflows, ...drawing.assembly.subflows].find(({ name }) => name === step.subflow);
      if (found !== undefined) drawing.called.push(found);
      const { items, subflow, width, maxItems } = step;
      return { ...placed, type: 'FANOUT', items, subflow, calls: found === undefined ? [] : [found.path], width, max_items: maxItems };
    }
  }
}

function schemaFirst(a: string, b: string): number {
  return Number(b.startsWith('schema')) - Number(a.startsWith('schema'));
}

function callsOf(subflows: readonly Flow[], { assembly, flow, called }: Drawing): readonly string[] {
  const flows = callable(subflowsInScope(assembly, flow, { subflows }), [flow]);
  called.push(...flows);
  return flows.map(({ path }) => path);
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** The flows that every agent of a flow may call: said once, and not of each. */
export function calledByAll({ steps }: PictureFlow): readonly string[] {
  const [first = [], ...others] = agentCalls(steps);
  return first.filter((path) => others.every((calls) => calls.includes(path)));
}

function agentCalls(steps: readonly PictureStep[]): readonly (readonly string[])[] {
  return steps.flatMap((step) => {
    switch (step.type) {
      case 'STAGE':
        return [step.calls];
      case 'LOOP':
        return agentCalls(step.steps);
      case 'CHOOSE':
        return [step.calls, ...step.branches.flatMap((branch) => agentCalls(branch.steps))];
      case 'PARALLEL':
        return step.branches.flatMap((branch) => agentCalls(branch.steps));
      case 'FANOUT':
        return [];
    }
  });
}
