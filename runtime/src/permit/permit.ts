/** Whether a tool call may be done. One visible chain, asked in order; the first link that objects ends it (L-7). */
import type { Access } from '@gated-flow/assembly';
import type { Tool, ToolOutput } from '../agent/tools/tool.js';
import type { LiveContracts } from '../contract/held.js';
import type { LiveGovernance } from '../governance/governed.js';
import type { Disk } from '../ports/disk.js';
import { access } from './access.js';
import { argumentsFit } from './arguments.js';
import { contract } from './contract.js';
import { approval, governance } from './governance.js';
import { ALLOWED, type Call, type Caller, type Link, type Permission, type Settle } from './link.js';
import { sandbox } from './sandbox.js';

/** In the order they are asked. */
export const LINKS: readonly Link[] = [argumentsFit, access, governance, contract, approval, sandbox];

export type Permit = (tool: Tool, input: unknown) => Promise<Permission>;

/** The chain for one stage's agent. */
export type { Permission } from './link.js';

export function permitFor(scope: PermitScope, { contracts, governance: governing }: Holding = {}): Permit {
  const { stage, allSlots, ports } = scope;
  const caller: Caller = {
    slots: allSlots,
    disk: ports.disk,
    ...(stage.access ? { access: stage.access } : {}),
    ...(contracts ? { contracts } : {}),
    ...(governing ? { governance: governing } : {}),
    ...(scope.sandbox ? { sandbox: scope.sandbox } : {}),
  };
  return (tool, input) => ask({ tool, input }, caller);
}

/** What holds over the agent that calls. */
export interface Holding {
  readonly contracts?: LiveContracts | undefined;
  readonly governance?: LiveGovernance | undefined;
}

export interface PermitScope {
  readonly stage: { readonly access?: Access };
  readonly allSlots: Readonly<Record<string, string>>;
  readonly ports: { readonly disk: Disk };
  readonly sandbox?: Caller['sandbox'] | null;
}

async function ask(call: Call, caller: Caller): Promise<Permission> {
  const settling: Settle[] = [];
  for (const link of LINKS) {
    const permission = await link.judge(call, caller);
    if (!permission.ok) return permission;
    if (permission.settle) settling.push(permission.settle);
  }
  return settling.length === 0 ? ALLOWED : { ok: true, settle: (output) => settleAll(settling, output) };
}

/** In the order in which the links were asked. */
async function settleAll(settling: readonly Settle[], output: ToolOutput): Promise<void> {
  for (const settle of settling) await settle(output);
}
