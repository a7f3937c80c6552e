/** The governance contract of a tree of runs, put together from what the run has (V-1 to V-5, V-7). */
import { sharedClock } from '../agent/clock.js';
import type { StageEntry } from '../governance/entry.js';
import type { GovernanceFields } from '../governance/hold.js';
import type { AuthorizationFields, LeaveWorld } from '../governance/approval/leave.js';
import type { Governed, LiveGovernance, Work } from '../governance/governed.js';
import type { RunGovernance } from '../governance/load.js';
import type { Given, StageScope } from '../stage/scope.js';
import { lineageOf } from './lineage.js';
import type { RunPart, RunWorld } from './scope.js';

/** What all runs of the tree share. Null when no contract governs: then nothing of it is loaded. */
export interface GovernanceWorld {
  readonly governance: RunGovernance;
  /** Made once, when the first agent sits down. */
  leave(): Promise<LeaveWorld>;
}

type Parts = Omit<RunWorld, 'shared' | 'containing' | 'fingerprints' | 'contracts' | 'governance'>;

export function governanceWorld(parts: Parts): GovernanceWorld | null {
  const { governance } = parts.prepared.plan;
  if (governance === null) return null;
  let opened: Promise<LeaveWorld> | null = null;
  return { governance, leave: () => (opened ??= openLeave(parts, governance)) };
}

async function openLeave({ prepared, born, options, machine }: Parts, { contract }: RunGovernance): Promise<LeaveWorld> {
  const { clock, ids, disk, claims } = machine;
  const { approve, approvalWaitSeconds, continuedFrom, authorized = [] } = options;
  const { openStore } = await import('../governance/approval/store.js');
  const { inTurn } = await import('../governance/approval/answer.js');
  const lineage = continuedFrom === undefined ? [] : await lineageOf(prepared.home, continuedFrom, disk);
  const seconds = approvalWaitSeconds ?? (approve === undefined ? 0 : contract.expiresSeconds);
  return {
    contract,
    assembly: prepared.plan.assembly.hash,
    store: openStore({ home: prepared.home, run: born.claimed.name, lineage }, { disk, claims }),
    issued: authorized,
    held: new Map(),
    refused: new Set(),
    asking: { approve: approve === undefined ? null : inTurn(approve), waitMs: seconds * 1_000 },
    ...{ clock, ids, stop: born.stop },
    notice: (sentence) => options.onNotice?.(sentence),
  };
}

/** The same contract over each run of the tree; each records what happens in it. */
export function openGovernance({ governance: world, born, machine, options }: RunWorld, part: RunPart): Governed | null {
  if (world === null) return null;
  const { contract, permissions } = world.governance;

  async function hold(scope: StageScope, { clock, attempt }: Work): Promise<LiveGovernance> {
    const { recorder, redactor, where } = scope;
    const { holdAgent } = await import('../governance/hold.js');
    const { leaveFor } = await import('../governance/approval/leave.js');
    const at = (): typeof where & { readonly retry: number } => ({ ...where, retry: attempt() });
    const leave = await world?.leave();
    if (leave === undefined) throw new Error('there is no governance contract');
    const desk = {
      stage: `${part.within}${where.stage}`,
      clock: sharedClock(clock),
      record: (fields: AuthorizationFields) => recorder.append({ event: 'authorization', ...at(), ...redactor.json(fields) }),
      pending: (id: string) => void born.pending.push({ id, within: part.within }),
      clean: <T>(value: T): T => redactor.json(value),
    };
    return holdAgent({
      contract,
      record: (fields: GovernanceFields) => recorder.append({ event: 'governance', ...at(), ...redactor.json(fields) }),
      leave: (held) => leaveFor(held, desk, leave),
      markChanges: () => machine.changes.mark(scope.pwd),
      elapsed: () => machine.clock.elapsed(),
    });
  }

  async function enter(scope: StageScope, given: readonly Given[]): Promise<StageEntry> {
    const { enterStage } = await import('../governance/entry.js');
    return enterStage(scope, { contract, given, debug: options.debugReceipts === true, advisory: options.advisory ?? [] });
  }

  return { permissions, files: contract.files.map(({ sha256 }) => sha256), enter, hold };
}
