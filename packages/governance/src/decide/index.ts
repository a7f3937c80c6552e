import type { GovernanceContract, Rule } from '../contract/contract.js';
import type { FileToolEvent, MemoryEvent, PreToolEvent, Verdict } from '../events.js';
import { verdictOf } from '../events.js';
import { fileToolHits } from './file-tool.js';
import { decideMemory } from './memory.js';
import { preToolHits } from './pre-tool.js';

/** What the contract says of a call before it runs: all rules that fit, and the strictest of their decisions (V-2). */
export function decide(contract: GovernanceContract, event: PreToolEvent | FileToolEvent | MemoryEvent): Verdict {
  switch (event.stage) {
    case 'pre_tool':
      return verdictOf(preToolHits(contract.preTool, event));
    case 'schema_aware_file_tool':
      return verdictOf([...fileToolHits(contract.fileTool, event), ...fileToolHits(contract.preTool.filter(isOfAnyTool), event)]);
    case 'memory_access': {
      const { decision, hits } = decideMemory(contract.memory, event);
      return decision === 'deny' ? verdictOf(hits) : { decision: 'allow', hits };
    }
  }
}

/** A rule of `pre_tool` that names tools and looks at nothing of a command holds for the file tools among them. */
function isOfAnyTool({ matcher: { tool, program, args, text } }: Rule): boolean {
  return tool !== undefined && !program && !args && !text;
}
