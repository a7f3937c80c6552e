/**
 * The governance contract: event in, decision and receipt out (V-1 … V-13). Touches nothing outside itself. A host loads the
 * contract, turns what is about to happen into an event, asks `decide` or `routePrompt`, and does as the answer says.
 */
export { DECISIONS, STAGE_NAMES, isStricter, oneStepStricter, strictest, verdictOf } from './events.js';
export type {
  ClaimEvent,
  CommandRead,
  Decision,
  FileOperation,
  FileToolEvent,
  GovernanceEvent,
  MemoryEvent,
  PreToolEvent,
  PromptEvent,
  ResearchEvent,
  RuleHit,
  StageName,
  Verdict,
} from './events.js';

export { loadGovernance } from './contract/load.js';
export { GOVERNANCE_SCHEMA } from './contract/shape.js';
export { NEEDS, RISK_LEVELS } from './contract/contract.js';
export type { GovernanceSource } from './contract/document.js';
export type {
  Acceptance,
  ClaimPolicy,
  ContractFile,
  GovernanceContract,
  GovernanceFault,
  GovernanceResult,
  MemoryPolicy,
  Need,
  NotEnforced,
  RiskLevel,
  Route,
  Rule,
} from './contract/contract.js';
export { PACKS } from './packs/index.js';
export { PACK_NAMES } from './packs/pack.js';
export type { Pack, PackName, PackRule } from './packs/pack.js';
export { TOOL_NAMES, canonicalTool } from './match/names.js';

export { decide } from './decide/index.js';
export { decideMemory, indexOf, isMemory } from './decide/memory.js';
export type { MemoryDecision, MemoryVerdict } from './decide/memory.js';
export { denialPayload, reasonOf } from './decide/denial.js';
export { needsSources } from './decide/research.js';
export { routePrompt } from './route/route.js';
export type { Receipt, Routed } from './route/route.js';

export { GRANT_SENTENCE, checkAuthorization, grant, requestOf } from './authorization/authorization.js';
export type {
  Authorization,
  AuthorizationCheck,
  AuthorizationRefusal,
  AuthorizationRequest,
  Disclosure,
  Grant,
  Moment,
} from './authorization/authorization.js';
export { argumentsHash, callKey, eventHash } from './authorization/event-hash.js';
export type { BoundCall } from './authorization/event-hash.js';
export { authorizationOf, readAuthorizations } from './authorization/file.js';
export type { IssuedAuthorization, IssuedResult } from './authorization/file.js';
export { permissionsText } from './authorization/permissions.js';

export { asciiJson, asciiText, wellFormedValue } from './payload/ascii.js';
export { mediaPathsIn, withoutBlobs } from './payload/blobs.js';
export { MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH, MAX_TRANSCRIPT_BYTES, boundTranscript, parsePayload } from './payload/parse.js';
export type { PayloadResult } from './payload/parse.js';

export { NO_DECISION, callAnswer, failureAnswer, promptAnswer, stopAnswer } from './hosts/answer.js';
export type { HostAnswer } from './hosts/answer.js';
export { HOST_FORMS } from './hosts/forms.js';
export type { HostForm } from './hosts/forms.js';
export { HOST_NAMES, readHostEvent } from './hosts/host-event.js';
export type { HostCall, HostEvent, HostEventResult, HostName } from './hosts/host-event.js';

export { reportOf } from './report/report.js';
export type {
  Enforcement,
  GovernanceReport,
  Honoured,
  ReportedRule,
  ReportedStage,
  Reporting,
  Surfaces,
  Validation,
} from './report/report.js';

export { citedMessage, claimMessage, numberCite, readCite, readClaims } from './claim/index.js';
export type { Cite, CiteResult, ClaimReading, ClaimText, Evidence, NumberedCite, UnsupportedClaim, Where } from './claim/index.js';
export { readCommands } from './command/index.js';
export type { CommandReading, SimpleCommand, UnreadPart } from './command/index.js';
