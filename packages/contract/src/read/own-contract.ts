import { createHash } from 'node:crypto';
import type { Action, Assertion, AssertionCheck, Clause, ContractFault, LimitKey, Origin, Place, Sentence } from '../contract.js';
import { ACTIONS, LIMIT_KEYS } from '../contract.js';
import type { ContractDocument, NodePath } from './document.js';
import { fieldsOf, isFields, listOf, numberOf, oneOf, textOf, textsOf } from './values.js';
import type { Fields } from './values.js';

/** What one file says itself, before what it extends is joined to it. */
export interface OwnContract {
  readonly document: ContractDocument;
  readonly fields: Fields;
  readonly extends?: { readonly target: string; readonly place: Place };
  readonly defaultAction: Action;
  readonly overrides: readonly Override[];
  readonly clauses: readonly Clause[];
  readonly can: readonly string[];
  readonly sha256: string;
}

/** An entry of `on_violation` other than `default`. */
export interface Override {
  readonly name: string;
  readonly action: Action;
  readonly place: Place;
}

const SECTIONS = ['requires', 'invariant', 'must', 'must_not', 'ensures'] as const;

/** Types a document that the schema has accepted. */
export function ownContract(document: ContractDocument): OwnContract {
  const fields = fieldsOf(document.value);
  const onViolation = fieldsOf(fields['on_violation']);
  const overrides = Object.entries(onViolation).flatMap(([name, value]) => {
    const action = name === 'default' ? undefined : oneOf(ACTIONS, value);
    return action === undefined ? [] : [{ name, action, place: placeOf(document, ['on_violation', name], 'key') }];
  });
  const defaultAction = oneOf(ACTIONS, onViolation['default']) ?? 'block';
  const actionOf = (name: string): Action => overrides.find((override) => override.name === name)?.action ?? defaultAction;
  const target = textOf(fields['extends']);
  return {
    document,
    fields,
    ...(target === undefined ? {} : { extends: { target, place: placeOf(document, ['extends']) } }),
    defaultAction,
    overrides,
    clauses: [
      ...SECTIONS.flatMap((type) => listOf(fields[type]).map((item, index) => sentence({ document, type, defaultAction }, item, index))),
      ...limits(document, fieldsOf(fields['limits']), actionOf),
      ...listOf(fields['assert']).map((item, index) => assertion(document, fieldsOf(item), index, actionOf)),
    ],
    can: textsOf(fields['can']),
    sha256: createHash('sha256').update(document.source.bytes).digest('hex'),
  };
}

/** Faults that no schema can express: a version of another specification, two assertions of one name, an override of nothing. */
export function ownFaults(own: OwnContract): ContractFault[] {
  return [...versionFaults(own), ...nameFaults(own), ...missingDescription(own)];
}

function versionFaults({ document, fields }: OwnContract): ContractFault[] {
  const version = textOf(fields['spec-version']);
  if (version === undefined || /^0\.1\./.test(version)) return [];
  const message = `The contract is written for AgentContract ${version}, and this program knows 0.1.x alone.`;
  return [{ severity: 'error', ...placeOf(document, ['spec-version']), message, fix: 'spec-version: 0.1.0' }];
}

function nameFaults({ document, clauses }: OwnContract): ContractFault[] {
  const seen = new Map<string, Place>();
  return clauses.flatMap((clause): ContractFault[] => {
    if (clause.type !== 'assert') return [];
    const { name } = clause;
    const place = clause.origin;
    const refuse = (message: string): ContractFault[] => [{ severity: 'error', ...bare(place), message }];
    if (name === 'default') return refuse('An assertion cannot be called "default": on_violation means every clause by it.');
    if (LIMIT_KEYS.some((key) => key === name)) return refuse(`An assertion cannot be called "${name}": that is a limit's key.`);
    const first = seen.get(name);
    if (first)
      return refuse(`There is an assertion "${name}" already, at ${spot(first, document.source.path)}. Give this one its own name.`);
    seen.set(name, place);
    return [];
  });
}

/** A description is recommended, of the contract and of each assertion (seed 5.1, 5.8). */
function missingDescription({ document, fields, clauses }: OwnContract): ContractFault[] {
  const bareAssertions = clauses.filter((clause) => clause.type === 'assert' && clause.description === undefined);
  const warn = (place: Place, message: string): ContractFault => ({ severity: 'warning', ...bare(place), message });
  return [
    ...(textOf(fields['description']) === undefined ? [warn(placeOf(document, []), 'The contract has no "description".')] : []),
    ...bareAssertions.map(({ name, origin }) => warn(origin, `The assertion "${name}" has no "description".`)),
  ];
}

function bare({ file, line, column }: Place): Place {
  return { file, line, column };
}

/** `other.contract.yaml:3`, or `line 3` of the file one is in. */
export function spot({ file, line }: Place, here: string): string {
  return file === here ? `line ${line}` : `${file}:${line}`;
}

function placeOf(document: ContractDocument, path: NodePath, at?: 'key' | 'value'): Origin {
  return { file: document.source.path, ...document.placeOf(path, at), from: document.source.location };
}

interface Section {
  readonly document: ContractDocument;
  readonly type: (typeof SECTIONS)[number];
  readonly defaultAction: Action;
}

function sentence({ document, type, defaultAction }: Section, item: unknown, index: number): Sentence {
  const fields: Fields = isFields(item) ? item : { text: item };
  const description = textOf(fields['description']);
  const onFail = oneOf(['block', 'warn'] as const, fields['on_fail']) ?? 'block';
  return {
    type,
    name: `${type}[${index}]`,
    text: (textOf(fields['text']) ?? '').trim(),
    judge: fields['judge'] === 'llm' ? 'llm' : 'deterministic',
    severity: type === 'requires' ? onFail : defaultAction,
    origin: placeOf(document, [type, index]),
    ...(description === undefined ? {} : { description }),
  };
}

const LIMIT_WORDS: Readonly<Record<LimitKey, string>> = {
  max_tokens: 'output tokens',
  max_input_tokens: 'input tokens',
  max_latency_ms: 'milliseconds',
  max_cost_usd: 'USD',
  max_tool_calls: 'tool calls',
  max_steps: 'steps',
};

/** `at most 10 tool calls` */
export function limitText(key: LimitKey, most: number): string {
  return `at most ${most} ${LIMIT_WORDS[key]}`;
}

function limits(document: ContractDocument, fields: Fields, actionOf: (name: string) => Action): Clause[] {
  return LIMIT_KEYS.flatMap((key): Clause[] => {
    const most = numberOf(fields[key]);
    if (most === undefined) return [];
    const origin = placeOf(document, ['limits', key], 'key');
    return [{ type: 'limits', name: key, key, most, text: limitText(key, most), severity: actionOf(key), origin }];
  });
}

function assertion(document: ContractDocument, fields: Fields, index: number, actionOf: (name: string) => Action): Assertion {
  const name = textOf(fields['name']) ?? '';
  const description = textOf(fields['description']);
  const check = checkOf(fields);
  return {
    type: 'assert',
    name,
    text: assertionText(check),
    check,
    severity: actionOf(name),
    origin: placeOf(document, ['assert', index]),
    ...(description === undefined ? {} : { description }),
  };
}

function checkOf(fields: Fields): AssertionCheck {
  const text = (key: string): string => textOf(fields[key]) ?? '';
  switch (fields['type']) {
    case 'pattern': {
      const mustNotMatch = textOf(fields['must_not_match']);
      const mustMatch = textOf(fields['must_match']);
      return {
        kind: 'pattern',
        ...(mustNotMatch === undefined ? {} : { mustNotMatch }),
        ...(mustMatch === undefined ? {} : { mustMatch }),
      };
    }
    case 'schema':
      return { kind: 'schema', schema: fields['schema'] };
    case 'llm': {
      const model = textOf(fields['model']);
      return { kind: 'llm', prompt: text('prompt').trim(), passWhen: text('pass_when').trim(), ...(model === undefined ? {} : { model }) };
    }
    case 'cost':
      return { kind: 'cost', maxUsd: numberOf(fields['max_usd']) ?? 0 };
    case 'latency':
      return { kind: 'latency', maxMs: numberOf(fields['max_ms']) ?? 0 };
    default:
      return { kind: 'custom', plugin: text('plugin'), given: fields };
  }
}

function assertionText(check: AssertionCheck): string {
  switch (check.kind) {
    case 'pattern': {
      const parts = [
        ...(check.mustNotMatch === undefined ? [] : [`the output must not match ${check.mustNotMatch}`]),
        ...(check.mustMatch === undefined ? [] : [`the output must match ${check.mustMatch}`]),
      ];
      return parts.join(', and ');
    }
    case 'schema':
      return 'the output must match the JSON Schema';
    case 'llm':
      return `${check.prompt} (passes when the answer is ${check.passWhen})`;
    case 'cost':
      return `at most ${check.maxUsd} USD`;
    case 'latency':
      return `at most ${check.maxMs} ms`;
    case 'custom':
      return `the plugin ${check.plugin} must accept`;
  }
}
