/** The library of contracts (C-12). What touches the outside is in `edges/`; a host with ports of its own needs none of it. */
export { loadContract } from './edges/load-contract.js';
export type { LoadOptions } from './edges/load-contract.js';
export { contractMiddleware, enforce } from './edges/held.js';
export type { HostOptions } from './edges/held.js';
export { openJudging } from './edges/judging.js';
export type { JudgingFound, JudgingOptions } from './edges/judging.js';
export { pluginWorkers } from './edges/plugins.js';
export type { PluginOptions, RunningPlugins } from './edges/plugins.js';
export { openAuditFile } from './edges/audit-file.js';
export type { AuditFile } from './edges/audit-file.js';
export { alert } from './edges/alerts.js';
export type { AlertOptions } from './edges/alerts.js';
export { performCommand, runCommand } from './cli/main.js';
export { COMMANDS } from './cli/commands.js';
export type { Arguments, CommandEntry, CommandIo, Option } from './cli/command.js';

export { ACTIONS, CLAUSE_TYPES, LIMIT_KEYS } from './contract.js';
export type {
  Action,
  Assertion,
  AssertionCheck,
  Clause,
  ClauseType,
  Contract,
  ContractFault,
  ContractFile,
  ContractResult,
  Limit,
  LimitKey,
  Origin,
  Place,
  Sentence,
} from './contract.js';
export { loadFrom } from './load.js';
export type { FoundParent, ParentFinder } from './load.js';
export type { ContractSource } from './read/document.js';
export { CONTRACT_SCHEMA } from './read/shape.js';
export { PHRASES } from './grammar/table.js';
export type { Phrase } from './grammar/table.js';

export { NOTHING_KNOWN, contentOf } from './facts.js';
export type { Content, RunFacts, ToolCall } from './facts.js';
export { prepare } from './evaluate/prepare.js';
export type { PreparedContract } from './evaluate/prepare.js';
export type { Check, Verdict, When } from './evaluate/check.js';
export { findingsOf } from './evaluate/findings.js';
export type { FindingOptions, Findings, Unevaluated, Violation } from './evaluate/findings.js';
export type {
  EvaluationPorts,
  HostFact,
  Judge,
  JudgeAnswer,
  JudgeCache,
  JudgeQuestion,
  Judging,
  PluginCall,
  PluginContext,
  Plugins,
} from './evaluate/ports.js';

export { openSession } from './session/session.js';
export type { ContractSession, InputDecision, Left, SessionOptions, StepDecision, Totals } from './session/session.js';
export type { RunningOptions, Step, Told } from './session/running-facts.js';
export { guardStream } from './session/stream-guard.js';
export type { Guarded, StreamGuard } from './session/stream-guard.js';
export { enforceWith } from './session/enforce.js';
export type { AgentShape, EnforceOptions, EnforcePorts } from './session/enforce.js';
export type { Held } from './session/streamed.js';
export { heldBack } from './session/held-stream.js';
export type { StreamHold } from './session/held-stream.js';
export { middlewareWith } from './session/middleware.js';
export type { ContractMiddleware, MiddlewareOptions } from './session/middleware.js';
export { settle } from './session/settle.js';
export type { Settled, SettlePorts } from './session/settle.js';
export {
  ContractAuditError,
  ContractError,
  ContractHaltError,
  ContractPreconditionError,
  ContractViolationError,
} from './session/errors.js';

export { adviceFor, isBlocking, reportOf, withoutUndo } from './report/report.js';
export type { ContractReport, RunIdentity } from './report/report.js';
export { FIRST_PREV, auditLine, hashOfLine } from './audit/entry.js';
export type { EntryOptions } from './audit/entry.js';
export { createAuditVerifier } from './audit/verify.js';
export type { AuditFault, AuditVerdict, AuditVerifier } from './audit/verify.js';
