import { hash } from 'node:crypto';
import { compilePattern } from '@gated-flow/patterns';
import { STAGE_NAMES } from '../events.js';
import type { StageName } from '../events.js';
import { compileGlob } from '../match/glob.js';
import type { Glob } from '../match/glob.js';
import { openBuilding } from './building.js';
import type { Building } from './building.js';
import type { Acceptance, ClaimPolicy, GovernanceContract, GovernanceFault, Lane, MemoryPolicy, Route } from './contract.js';
import { NEEDS, RISK_LEVELS } from './contract.js';
import type { ContractDocument, NodePath } from './document.js';
import { rulesOf } from './rules.js';
import { type Fields, fieldsIn, isFields, listIn, own, textIn, textsIn, wordIn } from './values.js';

/** How long an authorization holds where no contract says (V-5), in seconds. */
const EXPIRES_SECONDS = 900;
/** What counts as a strong claim where no contract says (V-9): the seed's words. */
const CLAIM_TERMS: readonly string[] = ['validated', 'verified', 'stable', 'proven'];

const SECTIONS = [
  ...['$schema', 'schema_version', 'contract_type', 'contract_name', 'description', 'lane', 'supported_stages', 'required_decisions'],
  ...['cost_profile', 'stages', 'authorization_boundary', 'payload_safety', 'denial', 'acceptance'],
];
const KEYS_OF_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  cost_profile: ['default_profile', 'expand_only_for'],
  authorization_boundary: ['single_use', 'expires_seconds'],
  payload_safety: ['publish_raw_payloads'],
  denial: ['blocked_exit_code'],
};
const KEYS_OF_STAGES: Readonly<Record<StageName, readonly string[]>> = {
  prompt_stage: ['routes'],
  pre_tool: ['packs', 'rules'],
  schema_aware_file_tool: ['packs', 'rules'],
  memory_access: ['meta_first', 'lanes'],
  external_research: ['match'],
  final_claim: ['terms', 'decision'],
};

export interface Built {
  readonly contract: GovernanceContract;
  readonly faults: readonly GovernanceFault[];
}

/** A contract of one file whose shape is right; what the schema cannot say is judged here. */
export function buildContract(document: ContractDocument): Built {
  const building = openBuilding(document);
  const root: Fields = isFields(document.value) ? document.value : {};
  keepUnknown(root, building);
  const stages = fieldsIn(root, 'stages');
  const stage = (name: StageName): Fields => fieldsIn(stages, name);
  const has = (name: StageName): boolean => Object.hasOwn(stages, name);
  const lane = textIn(root, 'lane') ?? null;
  const expires = own(fieldsIn(root, 'authorization_boundary'), 'expires_seconds');
  const cost = fieldsIn(root, 'cost_profile');
  const contract: GovernanceContract = {
    name: textIn(root, 'contract_name') ?? '',
    lane,
    files: [{ path: document.source.path, sha256: hash('sha256', document.source.bytes) }],
    stages: new Set(STAGE_NAMES.filter(has)),
    profile: wordIn(cost, 'default_profile', ['extended_governance']) ?? 'compact_runtime',
    expandOnlyFor: textsIn(cost, 'expand_only_for'),
    routes: routesOf(stage('prompt_stage'), building),
    preTool: rulesOf(stage('pre_tool'), ['stages', 'pre_tool'], building),
    fileTool: rulesOf(stage('schema_aware_file_tool'), ['stages', 'schema_aware_file_tool'], building).filter(isForFiles),
    memory: has('memory_access') ? [memoryOf(stage('memory_access'), lane, building)] : [],
    research: has('external_research') ? [researchOf(stage('external_research'), building)] : [],
    claims: has('final_claim') ? [claimsOf(stage('final_claim'))] : [],
    expiresSeconds: typeof expires === 'number' ? expires : EXPIRES_SECONDS,
    acceptance: acceptanceOf(root),
    notEnforced: building.notEnforced,
  };
  return { contract, faults: building.faults };
}

function keepUnknown(root: Fields, building: Building): void {
  building.keepUnknown(root, [], SECTIONS);
  for (const [section, known] of Object.entries(KEYS_OF_SECTIONS)) building.keepUnknown(fieldsIn(root, section), [section], known);
  const stages = fieldsIn(root, 'stages');
  building.keepUnknown(stages, ['stages'], STAGE_NAMES);
  for (const name of STAGE_NAMES) building.keepUnknown(fieldsIn(stages, name), ['stages', name], KEYS_OF_STAGES[name]);
  for (const [index, name] of textsIn(root, 'supported_stages').entries()) {
    const isKnown = STAGE_NAMES.some((known) => known === name);
    if (isKnown && !Object.hasOwn(stages, name))
      building.fault(['supported_stages', index], `The contract supports the stage "${name}" and has no "stages.${name}".`);
    if (!isKnown) building.keepUnknown({ [name]: true }, ['supported_stages'], []);
  }
}

/** A rule of a pack that looks at programs has nothing to say of files. */
function isForFiles({ written }: { readonly written: Readonly<Record<string, string>> }): boolean {
  return written['program'] === undefined && written['args'] === undefined && written['text'] === undefined;
}

function routesOf(stage: Fields, building: Building): readonly Route[] {
  const routes = listIn(stage, 'routes').flatMap((route, index) =>
    isFields(route) ? routeOf(route, ['stages', 'prompt_stage', 'routes', index], building) : [],
  );
  for (const [index, { id }] of routes.entries()) {
    if (routes.findIndex((route) => route.id === id) < index)
      building.fault(['stages', 'prompt_stage', 'routes', index, 'id'], `The route "${id}" stands there twice.`);
  }
  return routes;
}

function routeOf(route: Fields, at: NodePath, building: Building): readonly Route[] {
  const written = textIn(route, 'match') ?? '';
  const compiled = compilePattern(written);
  if (!compiled.ok) {
    building.fault([...at, 'match'], `The expression cannot be understood: ${compiled.message}`);
    return [];
  }
  const required_gates = textsIn(route, 'required_gates');
  for (const gate of required_gates) building.keepUnknown({ [gate]: true }, [...at, 'required_gates'], STAGE_NAMES);
  return [
    {
      id: textIn(route, 'id') ?? '',
      match: compiled.pattern,
      written,
      task_type: textIn(route, 'task_type'),
      project_lane: textIn(route, 'project_lane'),
      risk_level: wordIn(route, 'risk_level', RISK_LEVELS),
      required_gates,
      external_search_need: wordIn(route, 'external_search_need', NEEDS),
      memory_need: wordIn(route, 'memory_need', NEEDS),
      claim_gate_need: wordIn(route, 'claim_gate_need', NEEDS),
      human_confirmation_need: wordIn(route, 'human_confirmation_need', NEEDS),
    },
  ];
}

function memoryOf(stage: Fields, lane: string | null, building: Building): MemoryPolicy {
  const at: NodePath = ['stages', 'memory_access', 'lanes'];
  const lanes = Object.entries(fieldsIn(stage, 'lanes')).map(([name, value]) =>
    laneOf(name, isFields(value) ? value : {}, { at, building }),
  );
  const metaFirst = own(stage, 'meta_first') === true;
  if (lane !== null && !lanes.some(({ name }) => name === lane))
    building.fault(['lane'], `The run's lane is "${lane}", and "stages.memory_access.lanes" has none of that name.`);
  for (const { name, index } of lanes) {
    if (metaFirst && index === null)
      building.fault([...at, name], `The lane "${name}" has no "index", and "meta_first" wants it read before everything else.`);
  }
  return { metaFirst, lane, lanes };
}

function laneOf(name: string, lane: Fields, { at, building }: { readonly at: NodePath; readonly building: Building }): Lane {
  const glob = (written: string, path: NodePath): readonly Glob[] => {
    const compiled = compileGlob(written);
    if (!compiled.ok) building.fault(path, `The path pattern cannot be understood: ${compiled.message}`);
    return compiled.ok ? [compiled.glob] : [];
  };
  const paths = textsIn(lane, 'paths').flatMap((written, index) => glob(written, [...at, name, 'paths', index]));
  const path = textIn(lane, 'index');
  const [index] = path === undefined ? [] : glob(path, [...at, name, 'index']);
  return { name, paths, index: path !== undefined && index ? { path, glob: index } : null };
}

function researchOf(stage: Fields, building: Building): GovernanceContract['research'][number] {
  const written = textIn(stage, 'match');
  if (written === undefined) return { match: null, written: '' };
  const compiled = compilePattern(written);
  if (!compiled.ok) building.fault(['stages', 'external_research', 'match'], `The expression cannot be understood: ${compiled.message}`);
  return { match: compiled.ok ? compiled.pattern : null, written };
}

function claimsOf(stage: Fields): ClaimPolicy {
  const terms = textsIn(stage, 'terms');
  return {
    terms: Object.hasOwn(stage, 'terms') ? terms : CLAIM_TERMS,
    decision: wordIn(stage, 'decision', ['block']) ?? 'downgrade',
  };
}

function acceptanceOf(root: Fields): readonly Acceptance[] {
  return listIn(root, 'acceptance').flatMap((entry, index) => {
    const fields: Fields = isFields(entry) ? entry : { command: entry };
    const command = textIn(fields, 'command');
    return command === undefined ? [] : [{ id: textIn(fields, 'id') ?? `acceptance-${index + 1}`, command }];
  });
}
