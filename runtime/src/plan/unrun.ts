import type { Flow, Step } from '@gated-flow/assembly';

/** What this version reads and checks but does not run: a check warns of it, a run refuses it. */
export interface Unrun {
  /** In the assembly; `command` where the way it was called is what is not run. */
  readonly path: string;
  readonly message: string;
}

export function unrunParts(flow: Flow | null): readonly Unrun[] {
  if (flow === null) {
    const message = 'This version does not choose among flows. Name one: flow run ./ASSEMBLY/flows/NAME.';
    return [{ path: 'command', message }];
  }
  return flow.steps.filter(({ type }) => type !== 'STAGE').map(containerOf);
}

function containerOf({ type, entry }: Step): Unrun {
  return {
    path: entry,
    message: `It is a ${type}. This version reads and checks containers and does not run them; a flow of plain stages runs.`,
  };
}
