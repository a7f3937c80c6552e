/** The agent that works with all flows of an assembly when none was named (O-2). */
import type { Assembly, Flow, Stage } from '@gated-flow/assembly';

/** A flow of one stage, whose agent is told the assembly's purpose and may call every flow and subflow of the root. */
export function assemblyAgent({ purpose, sentinel, flows, skills }: Assembly): Flow {
  const place = { path: 'assembly', entry: '.', sentinel: sentinel ?? '', options: {}, skills };
  const stage: Stage = {
    type: 'STAGE',
    name: 'assembly',
    ...place,
    ...{ body: purpose, checklist: [], gates: [], hooks: {}, subflows: [] },
  };
  return {
    ...{ type: 'FLOW', name: '', path: '', sentinel: sentinel ?? '', description: '', procedure: '', options: {}, tmp: 'stage' },
    steps: [stage],
    subflows: flows,
    skills: [],
  };
}
