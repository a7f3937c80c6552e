/** One link of the chain that a tool call passes: what it is asked, and what it may answer. */
import type { Access } from '@gated-flow/assembly';
import type { Tool, ToolOutput } from '../agent/tools/tool.js';
import type { LiveContracts } from '../contract/held.js';
import type { LiveGovernance } from '../governance/governed.js';
import type { Disk } from '../ports/disk.js';
import type { StageSandbox } from '../sandbox/stage-sandbox.js';
import type { Ending } from '../stage/decide.js';

/** What the links know of the agent that calls. */
export interface Caller {
  /** Absent: everything is allowed. */
  readonly access?: Access;
  /** Slot name without `$` → absolute path. */
  readonly slots: Readonly<Record<string, string>>;
  readonly disk: Disk;
  /** The contracts over the stage; absent where none holds. */
  readonly contracts?: LiveContracts;
  /** The governance contract over the run; absent where there is none. */
  readonly governance?: LiveGovernance;
  /** Absent when nothing is contained. */
  readonly sandbox?: Pick<StageSandbox, 'rules'>;
}

export interface Call {
  readonly tool: Tool;
  readonly input: unknown;
}

/**
 * `denied` is a decision, and recorded; an objection without it is a mistake the agent can mend. `output` is what the agent is told.
 * With an `ending` the stage is over. `settle` is told what came of a call that every link allowed.
 */
export type Permission =
  | { readonly ok: true; readonly settle?: Settle }
  | { readonly ok: false; readonly denied: boolean; readonly output: string; readonly ending?: Ending };

export type Settle = (output: ToolOutput) => void | Promise<void>;

export interface Link {
  readonly name: string;
  judge(call: Call, caller: Caller): Permission | Promise<Permission>;
}

export const ALLOWED: Permission = { ok: true };

/** A denial, in words for the agent. */
export function denied(output: string): Permission {
  return { ok: false, denied: true, output };
}
