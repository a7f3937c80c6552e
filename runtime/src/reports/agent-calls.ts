/** Which tools an agent called, from its session: as the contracts counted them (C-7). Pure. */
import { parseSessionLine, splitLines } from '@gated-flow/record';
import type { SessionEntry } from '@gated-flow/record';
import { TOOLS } from '../agent/tools/index.js';
import { subflow } from '../agent/tools/subflow.js';
import type { Tool } from '../agent/tools/tool.js';
import { seenBy } from '../permit/contract.js';

export interface AgentCalls {
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly commands: readonly string[];
  /** Null when something was called whose changes nobody sees. */
  readonly changes: readonly string[] | null;
}

export interface CallsAbout {
  /** What the agent was told of denied calls. */
  readonly denied: readonly string[];
  readonly workdir: string;
  /** Names of the slots. */
  readonly slots: readonly string[];
}

/**
 * Every call that began, and the one that a contract did not let begin: the log tells what the agent set out to do. Denied calls,
 * calls with wrong arguments and control tools are no tool calls.
 */
export async function agentCalls(session: AsyncIterable<Uint8Array>, { denied, workdir, slots }: CallsAbout): Promise<AgentCalls> {
  const calls: AgentCalls['calls'][number][] = [];
  const commands: string[] = [];
  const changes = new Set<string>();
  let unseen = false;
  const refused = new Set(denied);
  const places = { ...Object.fromEntries(slots.map((name) => [name, `/$slots/${name}`])), PWD: workdir };
  let asked = new Map<string, AskedCall>();

  for await (const line of splitLines(session)) {
    const entry = parseSessionLine(line);
    if (entry?.kind === 'assistant') asked = new Map(entry.calls.map((call) => [call.id, call]));
    if (entry?.kind !== 'tool') continue;
    for (const result of entry.results) {
      const call = asked.get(result.id);
      const tool = TOOLS_OF_WORK.find(({ spec }) => spec.name === call?.tool);
      if (call === undefined || tool === undefined || !counts(call, result, tool) || (result.error && refused.has(result.output))) continue;
      const seen = seenBy({ tool, input: call.input }, { slots: places });
      calls.push({ name: call.tool, arguments: call.input });
      commands.push(...seen.commands);
      for (const path of seen.changes) changes.add(path);
      unseen ||= seen.unseen;
    }
  }
  return { calls, commands, changes: unseen ? null : [...changes] };
}

type AskedCall = Extract<SessionEntry, { kind: 'assistant' }>['calls'][number];
type CallResult = Extract<SessionEntry, { kind: 'tool' }>['results'][number];

/** Only the shape of a helper's arguments is looked at, so it needs no names. */
const TOOLS_OF_WORK: readonly Tool[] = [...TOOLS, subflow([])];

/** `not run` without an error: the call was not begun, since something before it ended the work. */
function counts({ malformed, input }: AskedCall, { output, error }: CallResult, tool: Tool): boolean {
  if (malformed !== undefined || (output === 'not run' && error !== true)) return false;
  return tool.check(input) === null;
}
