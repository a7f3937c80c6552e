import { stagesOf, type Assembly, type Flow, type Read } from '@gated-flow/assembly';

/** What of an assembly is to run. */
export interface Selection {
  /** Null when the assembly agent chooses (O-2). Its steps are narrowed when the target named a stage. */
  readonly flow: Flow | null;
  /** The whole flow, as it stands in the assembly. */
  readonly whole: Flow | null;
  /** The stage path that the target named. */
  readonly stage?: string;
}

/** The flow that was named, else the only one; several, or `--route`, leave the choice to the assembly agent (O-2). */
export function selectFlow(assembly: Assembly, focus: Read['focus'], route: boolean): Selection {
  const only = assembly.flows.length === 1 && !route ? assembly.flows[0] : undefined;
  const flow = (focus.flow === undefined ? only : assembly.flows.find(({ name }) => name === focus.flow)) ?? null;
  const stage = flow === null || focus.stage === undefined ? undefined : stagesOf(flow).find(({ path }) => path === focus.stage);
  if (flow === null || stage === undefined) return { flow, whole: flow };
  return { flow: { ...flow, steps: [stage] }, whole: flow, stage: stage.path };
}
