/** The governance contract: event in, decision and receipt out. Touches nothing outside itself. */
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
