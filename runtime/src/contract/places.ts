/** Which behavioural contracts hold where: paths in the assembly, outermost first (C-13). Pure. */
import type { Assembly, Flow, Stage } from '@gated-flow/assembly';

interface Bearer {
  readonly contract?: string;
}

/** Those over a stage, a choice's agent, or the one that works with all flows (O-2). */
export function contractsOver(assembly: Bearer, flow: Bearer | null, stage: Bearer): readonly string[] {
  return [assembly, flow ?? {}, stage].flatMap(({ contract }) => contract ?? []);
}

/** Those over anything that may run, each once. */
export function contractsWithin(
  assembly: Pick<Assembly, 'contract'>,
  { flows, stages }: { readonly flows: readonly Pick<Flow, 'contract'>[]; readonly stages: readonly Pick<Stage, 'contract'>[] },
): readonly string[] {
  return [...new Set([assembly, ...flows, ...stages].flatMap(({ contract }) => contract ?? []))];
}
