/** One agent held to the governance contract: its calls judged, recorded, and held for approval. Loaded only where there is a contract. */
import { asciiJson, decide, denialPayload, reasonOf, strictest, verdictOf } from '@gated-flow/governance';
import type { Decision, GovernanceContract, StageName, Verdict } from '@gated-flow/governance';
import type { FactOf } from '@gated-flow/record';
import type { ToolOutput } from '../agent/tools/tool.js';
import type { ChangeMark } from '../ports/changes.js';
import { ALLOWED, type Call, type Caller, denied, type Permission } from '../permit/link.js';
import { MAX_COMMAND_BYTES, type CallEvent, callEvents, commandBytes } from './call-events.js';
import type { HeldCall, Leave } from './approval/leave.js';
import type { LiveGovernance } from './governed.js';
import { openMemory } from './memory.js';
import { type Receipt, receiptOf } from './receipt.js';

export type GovernanceFields = Omit<FactOf<'governance'>, 'event' | 'stage' | 'repeat' | 'retry'>;

/** What a run lends to it. */
export interface HoldPorts {
  readonly contract: GovernanceContract;
  record(fields: GovernanceFields): void;
  /** Asks for leave; resolves when there is an answer, or nobody to give one. */
  leave(held: HeldCall): Promise<Leave>;
  /** Notes how the working tree stands before a call that was approved; null when nobody can say. */
  markChanges(): Promise<ChangeMark | null>;
  /** Monotonic milliseconds. */
  elapsed(): number;
}

/** A verdict with the moment of the contract that it comes from. */
interface Judged {
  readonly stage: StageName;
  readonly verdict: Verdict;
}

export function holdAgent(ports: HoldPorts): LiveGovernance {
  const memory = openMemory(ports.contract);
  const asking = new WeakMap<Call, Judged>();

  async function judge(call: Call, caller: Caller): Promise<Permission> {
    const bytes = commandBytes(call);
    if (bytes > MAX_COMMAND_BYTES) return tooLong(call, bytes);
    const events = await callEvents(call, caller);
    const seen = await memory.judge(events, caller);
    const lanes = seen?.verdict;
    if (lanes?.decision === 'cross_reference_allowed')
      ports.record({ stage_name: 'memory_access', decision: lanes.decision, tool: call.tool.spec.name });
    const inLanes: readonly Judged[] =
      lanes?.decision === 'deny' ? [{ stage: 'memory_access', verdict: { decision: 'deny', hits: lanes.hits } }] : [];
    const judged = [...inLanes, ...events.map((event) => judgedBy(ports.contract, event))];
    const decision = strictest(judged.map(({ verdict }) => verdict.decision));
    const first = judged.find(({ verdict }) => verdict.decision === decision);
    const passed: Permission = seen === null ? ALLOWED : { ok: true, settle: (output) => seen.settle(output) };
    if (first === undefined || decision === 'allow') return passed;
    const verdict = verdictOf(judged.flatMap(({ verdict: { hits } }) => hits));
    ports.record({ stage_name: first.stage, tool: call.tool.spec.name, ...fieldsOf(verdict) });
    if (decision === 'deny') return denied(denialPayload(verdict));
    if (decision === 'require_approval') asking.set(call, { stage: first.stage, verdict });
    return passed;
  }

  function tooLong(call: Call, bytes: number): Permission {
    const reason = `A command of ${bytes} bytes is too long to be judged. Write it to a file and execute that.`;
    ports.record({ stage_name: 'pre_tool', decision: 'deny', rule: 'unread-command', reason, tool: call.tool.spec.name });
    return denied(asciiJson({ decision: 'deny', reason }));
  }

  async function approve(call: Call): Promise<Permission> {
    const held = asking.get(call);
    if (held === undefined) return ALLOWED;
    const { tool, input } = call;
    const leave = await ports.leave({ tool: tool.spec.name, input, verdict: held.verdict });
    switch (leave.leave) {
      case 'given': {
        const began = ports.elapsed();
        const mark = await ports.markChanges();
        const settle = async (output: ToolOutput): Promise<void> => {
          const receipt: Receipt = {
            authorization: leave.id,
            output,
            ms: Math.round(ports.elapsed() - began),
            changed: (await mark?.since()) ?? null,
          };
          ports.record({ stage_name: held.stage, decision: 'allow', tool: tool.spec.name, postcondition: receiptOf(receipt) });
        };
        return { ok: true, settle };
      }
      case 'denied':
        return denied(asciiJson({ decision: 'deny', reason: 'Leave for this call was asked for and not given.' }));
      case 'ended':
        return { ok: false, denied: true, output: 'not run', ending: leave.ending };
    }
  }

  return { judge, approve };
}

function judgedBy(contract: GovernanceContract, event: CallEvent): Judged {
  return { stage: event.stage, verdict: decide(contract, event) };
}

/** The rules that decided, and what they say. */
function fieldsOf(verdict: Verdict): {
  readonly decision: Decision;
  readonly rule: string;
  readonly reason: string;
  readonly risk?: string;
} {
  const { decision, hits } = verdict;
  const deciding = hits.filter((hit) => hit.decision === decision);
  const risks = [...new Set(deciding.flatMap(({ risks: said }) => said ?? []))].join('; ');
  const rule = [...new Set(deciding.map(({ id }) => id))].join(', ');
  return { decision, rule, reason: reasonOf(verdict), ...(risks === '' ? {} : { risk: risks }) };
}
