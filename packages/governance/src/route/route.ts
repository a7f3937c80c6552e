import type { GovernanceContract, Need, RiskLevel, Route } from '../contract/contract.js';
import { NEEDS, RISK_LEVELS } from '../contract/contract.js';
import { openTests } from '../decide/bounded.js';
import { needsSources } from '../decide/research.js';
import type { PromptEvent } from '../events.js';
import { STAGE_NAMES } from '../events.js';
import { affirmed } from './affirmed.js';

/** What is known before an agent starts: the seed's eight fields (V-6). */
export interface Receipt {
  readonly task_type: string;
  readonly project_lane: string;
  readonly risk_level: RiskLevel;
  readonly required_gates: readonly string[];
  readonly external_search_need: Need;
  readonly memory_need: Need;
  readonly claim_gate_need: Need;
  readonly human_confirmation_need: Need;
}

export interface Routed {
  readonly profile: 'compact_runtime' | 'extended_governance' | 'debug_receipt';
  readonly receipt: Receipt;
  /** No route fits, or two fit that disagree on what kind of task it is. */
  readonly lowConfidence: boolean;
  /** With `extended_governance` and `debug_receipt`: where the receipt comes from. */
  readonly from?: { readonly contract: string; readonly files: GovernanceContract['files']; readonly routes: readonly string[] };
  /** With `debug_receipt`: every route and what it said. */
  readonly routes?: readonly { readonly id: string; readonly match: string; readonly fits: boolean | 'only negated' | 'too slow' }[];
}

/** Of each input. */
const MAX_INPUT_BYTES = 64 * 1024;

/**
 * The receipt of a stage, computed from the routes alone (V-6): the highest risk, the union of the gates, the strongest of each
 * need. Null for a stage that can only read and that no route fits. `verbose` gives the `debug_receipt`.
 */
export function routePrompt(contract: GovernanceContract, event: PromptEvent, verbose = false): Routed | null {
  const texts = [event.body, ...event.inputs.map((input) => input.slice(0, MAX_INPUT_BYTES))];
  const judged = judge(contract.routes, texts);
  const matched = judged.filter(({ fits }) => fits === true || fits === 'too slow').map(({ route }) => route);
  const sources = needsSources(contract, texts.map(affirmed));
  if (matched.length === 0 && event.readOnly && !sources) return null;
  const receipt = receiptOf(contract, matched, sources);
  const lowConfidence = matched.length === 0 || disagree(matched, 'task_type') || disagree(matched, 'project_lane');
  const profile = verbose ? 'debug_receipt' : profileOf(contract, receipt, lowConfidence);
  const from = { contract: contract.name, files: contract.files, routes: matched.map(({ id }) => id) };
  const routes = judged.map(({ route, fits }) => ({ id: route.id, match: route.written, fits }));
  if (profile === 'compact_runtime') return { profile, receipt, lowConfidence };
  return profile === 'extended_governance' ? { profile, receipt, lowConfidence, from } : { profile, receipt, lowConfidence, from, routes };
}

type Fit = boolean | 'only negated' | 'too slow';

function judge(routes: readonly Route[], texts: readonly string[]): readonly { readonly route: Route; readonly fits: Fit }[] {
  const said = texts.map(affirmed);
  return routes.map((route) => {
    const tests = openTests();
    if (said.some((text) => tests.found(route.match, text))) return { route, fits: tests.unsure ? 'too slow' : true };
    return { route, fits: texts.some((text) => tests.found(route.match, text)) ? 'only negated' : false };
  });
}

function receiptOf(contract: GovernanceContract, matched: readonly Route[], sources: boolean): Receipt {
  const risk = RISK_LEVELS[Math.max(0, ...matched.map(({ risk_level = 'R0' }) => RISK_LEVELS.indexOf(risk_level)))] ?? 'R5';
  // The route with the highest risk speaks first; among equals the order of the contract holds.
  const ordered = [...matched].sort((a, b) => riskOf(b) - riskOf(a));
  const need = (name: NeedName): Need => strongest(matched.flatMap((route) => route[name] ?? []));
  return {
    task_type: ordered.find(({ task_type }) => task_type !== undefined)?.task_type ?? 'unknown',
    project_lane: ordered.find(({ project_lane }) => project_lane !== undefined)?.project_lane ?? contract.lane ?? 'unknown',
    risk_level: risk,
    required_gates: gatesOf(matched, sources),
    external_search_need: sources ? 'required' : need('external_search_need'),
    memory_need: need('memory_need'),
    claim_gate_need: need('claim_gate_need'),
    human_confirmation_need: need('human_confirmation_need'),
  };
}

type NeedName = 'external_search_need' | 'memory_need' | 'claim_gate_need' | 'human_confirmation_need';

function riskOf({ risk_level = 'R0' }: Route): number {
  return RISK_LEVELS.indexOf(risk_level);
}

function strongest(needs: readonly Need[]): Need {
  return NEEDS[Math.max(0, ...needs.map((need) => NEEDS.indexOf(need)))] ?? 'required';
}

/** The stages in their order, then what other gates the routes name. */
function gatesOf(matched: readonly Route[], sources: boolean): readonly string[] {
  const wanted = new Set([...matched.flatMap(({ required_gates }) => required_gates), ...(sources ? ['external_research'] : [])]);
  const known = STAGE_NAMES.filter((name) => wanted.has(name));
  const others = [...wanted].filter((name) => !STAGE_NAMES.some((stage) => stage === name));
  return [...known, ...others.sort()];
}

function disagree(matched: readonly Route[], field: 'task_type' | 'project_lane'): boolean {
  return new Set(matched.flatMap((route) => route[field] ?? [])).size > 1;
}

function profileOf(
  { profile, expandOnlyFor }: GovernanceContract,
  { risk_level }: Receipt,
  lowConfidence: boolean,
): GovernanceContract['profile'] {
  const expands = expandOnlyFor.includes(risk_level) || (lowConfidence && expandOnlyFor.includes('low_confidence_route'));
  return expands ? 'extended_governance' : profile;
}
