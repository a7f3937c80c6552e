/** What a call of a tool is to the governance contract: its events (V-2, V-3). */
import { loadShellReader } from '@gated-flow/shell';
import type { FileToolEvent, PreToolEvent } from '@gated-flow/governance';
import type { Call, Caller } from '../permit/link.js';
import { namesOf } from './paths.js';

export type CallEvent = PreToolEvent | FileToolEvent;

/** Longer than what the shell tool executes; no reader and no rule is made to look at it, in bytes. */
export const MAX_COMMAND_BYTES = 128 * 1024;

const FILE_TOOLS = new Set(['read', 'write', 'edit']);

/** A file tool is judged by path and operation, whatever else by its arguments; a tool that does both is judged as both. */
export async function callEvents({ tool, input }: Call, caller: Caller): Promise<readonly CallEvent[]> {
  const name = tool.spec.name;
  const events: CallEvent[] = [];
  let judgedByName = FILE_TOOLS.has(name);
  for (const reach of tool.reach(input)) {
    if (reach.operation === 'bash') {
      const read = await (await loadShellReader()).read(reach.command, { guess: true });
      events.push({ stage: 'pre_tool', tool: name, arguments: input, command: { text: reach.command, read } });
      judgedByName = true;
    } else {
      const paths = await namesOf(reach.path, caller);
      events.push({ stage: 'schema_aware_file_tool', tool: name, operation: reach.operation, paths });
    }
  }
  return judgedByName ? events : [{ stage: 'pre_tool', tool: name, arguments: input }, ...events];
}

/** The bytes of the longest command of a call. */
export function commandBytes({ tool, input }: Call): number {
  return Math.max(0, ...tool.reach(input).map((reach) => (reach.operation === 'bash' ? Buffer.byteLength(reach.command) : 0)));
}
