/**
 * The contracts that one pass of a stage is held to: a session each, in order, each with its own report and audit entries (C-13).
 * Loaded only where there is a contract.
 */
import { adviceFor, isBlocking, openSession, settle } from '@gated-flow/contract';
import type { ContractReport, ContractSession, PreparedContract, Step, Totals, Violation } from '@gated-flow/contract';
import type { UnevaluatedClause } from '@gated-flow/record';
import type { Answer } from '../ports/model.js';
import type { Ending } from '../stage/decide.js';
import { fault } from '../stage/ending.js';
import { brokenIn, isRepairable, least, rejected } from './broken.js';

/** What a run lends the contracts of a stage. */
export interface HoldPorts {
  /** Appends an entry durably; rejects with an Error whose message says why. */
  audit(report: ContractReport): Promise<void>;
  alert(report: ContractReport): Promise<void>;
  /** Discards what the stage changed in the working tree, or says why it does not. */
  undo(): Promise<string | undefined>;
  /** Ends the whole tree of runs. */
  halt(reason: string): void;
  record(violation: Violation, about: { readonly contract: string; readonly round: number; readonly audit_run_id: string }): void;
  /** ISO 8601. */
  now(): string;
  /** A fresh UUID, version 4. */
  uuid(): string;
  /** `provider/model` of the stage's agent. */
  readonly agentModel: string | undefined;
  readonly unevaluated: 'report' | 'fail';
}

export type Judgement = {
  /** The clauses that nobody could evaluate (C-4). */
  readonly unevaluated: readonly UnevaluatedClause[];
} & (
  | { readonly is: 'passed' }
  /** Another output could pass; `advice` is for whoever writes it, `told` for people. */
  | { readonly is: 'failed'; readonly advice: string; readonly told: string }
  | { readonly is: 'ended'; readonly ending: Ending; readonly advice: string }
);

/** A call as the contracts see it. `changes` are paths relative to the working tree where they lie in it. */
export interface LiveCall {
  readonly tool: string;
  readonly input: unknown;
  readonly commands: readonly string[];
  readonly changes: readonly string[];
  /** It may change files that nobody is told of. */
  readonly unseen: boolean;
}

/** What is judged while the agent works (C-7). An ending: what was asked about must not happen, and the stage is over. */
export interface LiveContracts {
  turn(attempt: number): Ending | null;
  answered(answer: Answer): Ending | null;
  call(call: LiveCall): Ending | null;
  /** What is left of the tokens an agent may write; null without a limit. */
  outputTokens(): number | null;
  /** The least that a limit leaves of the agent's own time, in milliseconds; null without a limit. */
  timeMs(): number | null;
}

export interface HeldContracts {
  /** Judges `requires`; an ending when the agent must not run. Once, before anything else. */
  enter(input: Uint8Array): Promise<Ending | null>;
  /** From here on the agent's steps are told. `spentMs` is its clock over all rounds. */
  seat(spentMs: () => number): LiveContracts;
  /**
   * Judges a candidate by all contracts; null when the run was stopped meanwhile. Without an output (a choice has none) what would
   * need one holds nothing back.
   */
  judge(output: Uint8Array | null, attempt: number, stopped: () => boolean): Promise<Judgement | null>;
  /** Audits what no candidate was there for. An ending when that cannot be written. */
  leave(): Promise<Ending | null>;
}

interface Held {
  readonly prepared: PreparedContract;
  readonly session: ContractSession;
  readonly auditRun: string;
  /** Names of what is told once and stays broken: `requires`, and what was crossed on the way. */
  readonly told: Set<string>;
  /** Something happened that no entry speaks of yet. */
  owed: boolean;
}

/** Nobody saw the work being done: it is an earlier run's. */
const UNSEEN: Totals = {
  ...{ durationMs: null, costUsd: null, outputTokens: null, inputTokens: null },
  ...{ steps: null, toolCalls: null, commands: null, changedFiles: null },
};

export function holdTo(contracts: readonly PreparedContract[], ports: HoldPorts): HeldContracts {
  let spentMs: (() => number) | null = null;
  let attempt = 1;
  let unseenChanges = false;
  let unevaluated = ports.unevaluated;
  const held: readonly Held[] = contracts.map((prepared) => {
    const auditRun = ports.uuid();
    const session = openSession(prepared, {
      identity: { runId: auditRun, timestamp: ports.now() },
      elapsed: () => spentMs?.() ?? 0,
      ...(ports.agentModel === undefined ? {} : { agentModel: ports.agentModel }),
      tells: ['turns', 'calls', 'commands', 'changes'],
      get unevaluated() {
        return unevaluated;
      },
    });
    return { prepared, session, auditRun, told: new Set<string>(), owed: true };
  });

  return {
    async enter(input) {
      let barred: Ending | null = null;
      for (const one of held) {
        const { allowed, report } = await one.session.input(input);
        tell(one, report.violations);
        for (const { clause_name } of report.violations) one.told.add(clause_name);
        if (allowed) continue;
        const settled = await settleReport(one, report, true);
        barred ??= settled.fault ?? rejected(one.prepared, report.violations);
      }
      return barred;
    },
    seat(spent) {
      spentMs = spent;
      return {
        turn(now) {
          attempt = now;
          return step({ kind: 'turn' });
        },
        answered: ({ text, usage, costUsd }) =>
          step({ kind: 'answer', text, outputTokens: usage.output, inputTokens: usage.input, costUsd }),
        call({ tool, input, commands, changes, unseen }) {
          const steps: Step[] = [
            { kind: 'call', name: tool, arguments: input },
            ...commands.map((command) => ({ kind: 'command' as const, command })),
            ...changes.map((path) => ({ kind: 'change' as const, path })),
          ];
          for (const each of steps) {
            const ending = step(each);
            if (ending) return ending;
          }
          unseenChanges ||= unseen;
          return null;
        },
        outputTokens: () => least(held.map(({ session }) => session.left().outputTokens)),
        timeMs: () => least(held.map(({ session }) => session.left().durationMs)),
      };
    },
    async judge(output, now, stopped) {
      attempt = now;
      if (output === null) unevaluated = 'report';
      const failed: ContractReport[] = [];
      const unknown: UnevaluatedClause[] = [];
      let ending: Ending | null = null;
      for (const one of held) {
        const found = await one.session.output(output, totals());
        if (stopped()) return null;
        const { report, fault: broken } = await settleReport(one, { ...found, timestamp: ports.now() });
        if (isBlocking(report)) failed.push(report);
        unknown.push(...report.unevaluated.map(({ clause_name, reason }) => ({ contract: report.contract, clause_name, reason })));
        ending ??= broken ?? endingOf(one, report);
      }
      const advice = failed.map(adviceFor).join('\n');
      const common = { unevaluated: unknown };
      if (ending) return { ...common, is: 'ended', ending, advice };
      return failed.length === 0 ? { ...common, is: 'passed' } : { ...common, is: 'failed', advice, told: failed.map(brokenIn).join('\n') };
    },
    async leave() {
      // Without an output nobody could judge most clauses: that is no violation of theirs.
      unevaluated = 'report';
      let ending: Ending | null = null;
      for (const one of held) {
        if (!one.owed) continue;
        const found = await one.session.output(null, totals());
        const { fault: broken } = await settleReport(one, { ...found, timestamp: ports.now() });
        ending ??= broken;
      }
      return ending;
    },
  };

  function totals(): Totals {
    if (spentMs === null) return UNSEEN;
    return unseenChanges ? { changedFiles: null } : {};
  }

  function step(told: Step): Ending | null {
    for (const one of held) {
      const { allowed, violations } = one.session.step(told);
      if (violations.length > 0) one.owed = true;
      tell(one, violations);
      for (const { clause_name } of violations) one.told.add(clause_name);
      if (allowed) continue;
      const ending = rejected(one.prepared, violations);
      if (violations.some(({ action_taken }) => action_taken === 'halt_and_alert')) ports.halt(ending.reason ?? '');
      return ending;
    }
    return null;
  }

  /** Each round tells what it found; what stays broken is told once. */
  function tell({ prepared, told, auditRun }: Held, violations: readonly Violation[]): void {
    for (const violation of violations) {
      if (told.has(violation.clause_name)) continue;
      ports.record(violation, { contract: prepared.contract.path, round: attempt, audit_run_id: auditRun });
    }
  }

  /** Undone, recorded, audited, alerted, in this order: what is written is what was really done. */
  async function settleReport(one: Held, found: ContractReport, before = false): Promise<{ report: ContractReport; fault: Ending | null }> {
    const outcome: { trouble: string | null } = { trouble: null };
    const { report } = await settle(
      found,
      {
        async audit(report) {
          tell(one, report.violations);
          try {
            await ports.audit(report);
          } catch (error) {
            outcome.trouble = error instanceof Error ? error.message : 'it cannot be written';
            throw error;
          }
        },
        alert: (report) => ports.alert(report),
        undo: () => ports.undo(),
      },
      before,
    );
    one.owed = false;
    const { trouble } = outcome;
    return { report, fault: trouble === null ? null : fault(`The audit of contracts could not be written: ${trouble}.`, 'audit.jsonl') };
  }

  /** The ending when the agent is not to try again. */
  function endingOf(one: Held, { action, violations }: ContractReport): Ending | null {
    const blocking = violations.filter(({ action_taken }) => action_taken !== 'warn');
    if (action === 'halt_and_alert') {
      const ending = rejected(one.prepared, blocking);
      ports.halt(ending.reason ?? '');
      return ending;
    }
    const beyond = blocking.filter((violation) => !isRepairable(one, violation));
    if (beyond.length > 0) return rejected(one.prepared, beyond);
    return action === 'rollback' ? rejected(one.prepared, blocking) : null;
  }
}
