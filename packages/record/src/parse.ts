import { CAUSES } from './events.js';
import type { EventName, RecordEvent } from './events.js';
import { isObject } from './json.js';

/** A parsed line: an event of ours, one of a kind this version does not know (ignored, R-6), or why it is neither. */
export type ParsedLine =
  | { readonly line: 'event'; readonly event: RecordEvent }
  | { readonly line: 'unknown'; readonly name: string; readonly prev: string }
  | { readonly line: 'fault'; readonly message: string };

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const flag: Check = (value) => typeof value === 'boolean';
const anything: Check = () => true;
const numberOrNull: Check = (value) => value === null || typeof value === 'number';
const cause: Check = (value) => CAUSES.some((known) => known === value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const mapOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);
const like = (shape: Shape): Check => {
  const fields = Object.entries(shape);
  return (value) => isObject(value) && fields.every(([name, check]) => check(value[name]));
};

const options = mapOf(like({ value: anything, from: text }));
const sealedFile = like({ path: text, sha256: text, bytes: number });
const asked = like({
  stage: maybe(text),
  given: maybe(text),
  options: maybe(mapOf(text)),
  task: maybe(mapOf(anything)),
  governance: maybe(text),
  governance_sha256: maybe(text),
  slots: maybe(mapOf(text)),
});
const unevaluated = listOf(like({ contract: text, clause_name: text, reason: text }));
const input = like({ sha256: text, bytes: number });
const child = like({ stage: maybe(text), repeat: maybe(number), retry: maybe(number), n: number, item: maybe(text), depth: number });
const program: Shape = { file: text, exit: numberOrNull, capture: text, capture_sha256: text, sha256: text, ms: number };
const call: Shape = { n: number, flow: text, item: maybe(text), depth: number, input };

/** The fields that a reading relies on; what else a line says is ignored. */
const SHAPES: Readonly<Record<EventName, Shape>> = {
  run_start: {
    runtime: like({ name: text, version: text, node: text }),
    run: text,
    assembly: text,
    assembly_hash: text,
    flow: text,
    request: like({ path: text, sha256: text, bytes: number, from: text }),
    workdir: text,
    isolated_from: maybe(text),
    sandbox: maybe(like({ covers: text, network: flag })),
    model_source: text,
    correlation: maybe(text),
    continued_from: maybe(text),
    asked: maybe(asked),
    child: maybe(child),
  },
  run_end: { exit: number, cause, reason: maybe(text), stage: maybe(text), pending: maybe(listOf(text)), manifest: maybe(text) },
  stage_start: {
    stage: text,
    received: listOf(like({ name: text, path: text, sha256: text })),
    options,
    slots: listOf(text),
    workdir: text,
    tools: listOf(text),
    skills: listOf(text),
    worker: maybe(text),
  },
  prompt: { stage: text, system_sha256: text, first_turn_sha256: text },
  turn: {
    provider: text,
    model: text,
    input: numberOrNull,
    output: numberOrNull,
    cache_read: numberOrNull,
    cache_write: numberOrNull,
    cost_usd: numberOrNull,
    stop: text,
    ms: number,
  },
  tool_call: { tool: text, decision: text, item: maybe(number), evidence: maybe(text), answer: maybe(text), reason: maybe(text) },
  check: { ...program, check: text, file: maybe(text), sha256: maybe(text), overflow: maybe(flag), unevaluated: maybe(unevaluated) },
  gate_start: { file: text, sha256: text },
  hook: { ...program, hook: text, overflow: maybe(flag) },
  hash_drift: { file: text, expected: text, found: text },
  stage_end: {
    stage: text,
    exit: number,
    cause,
    reason: maybe(text),
    failed: maybe(text),
    output: maybe(sealedFile),
    sealed: flag,
    judged: flag,
    attempts: number,
    session: maybe(like({ sha256: text, lines: number })),
  },
  stage_carried: {
    ...{ stage: text, from: text, output: sealedFile },
    ...{ entry: maybe(text), name: maybe(text), of: maybe(number), options: maybe(options) },
  },
  stage_reused: { stage: text, from: text, output: sealedFile },
  provider_retry: { attempt: number, status: maybe(number), delay_ms: number },
  chose: { stage: text, chose: text, declined: listOf(text), reason: text },
  loop_done: { stage: text, repeats: number, ended_by: text, reason: maybe(text) },
  parallel_done: { stage: text, branches: mapOf(cause), concurrent: number },
  fanout_start: { stage: text, items: number, subflow: text, width: number },
  fanout_done: { stage: text, items: number, concurrent: number, cause },
  subflow_start: call,
  subflow_call: { ...call, cause, exit: number, reason: maybe(text), output: maybe(sealedFile), record_sha256: text },
  contract: {
    contract: text,
    clause_type: text,
    clause_name: text,
    severity: text,
    action_taken: text,
    judge: text,
    details: text,
    round: maybe(number),
    audit_run_id: text,
  },
  governance: {
    sources: maybe(sealedFile),
    stage_name: text,
    decision: text,
    rule: maybe(text),
    risk: maybe(text),
    reason: maybe(text),
    tool: maybe(text),
  },
  authorization: {
    ...{ id: text, state: text, event_hash: text, target: maybe(text), scope: maybe(text), by: maybe(text), via: maybe(text) },
    ...{ expires: maybe(text), reason: maybe(text), tool: maybe(text), nth: maybe(number), rule: maybe(text) },
    ...{ risks: maybe(text), recovery: maybe(text) },
  },
  signal: { signal: number, name: text },
  tmp_teardown: { reason: text },
};

/** The names of format 1. */
export const EVENT_NAMES: readonly string[] = Object.keys(SHAPES);

const FIELDS = new Map(Object.entries(SHAPES).map(([name, shape]) => [name, Object.entries(shape)]));
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const countedFrom =
  (first: number): Check =>
  (value) =>
    value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= first);
const repeat = countedFrom(1);
const retry = countedFrom(1);
/** The work of an earlier run is judged before there is an attempt (G-12). */
const JUDGEMENTS: ReadonlySet<string> = new Set(['check', 'gate_start']);
const retryOfJudgement = countedFrom(0);
const stage: Check = maybe(text);

/** Judges one JSON value as a line of the record. `run_start`'s own `record` field is not looked at: the version is the reader's to refuse. */
export function parseLine(value: unknown): ParsedLine {
  if (!isObject(value)) return fault('is not a JSON object');
  const { ts, event: name, prev } = value;
  if (typeof ts !== 'string' || !TIME.test(ts)) return fault('has no time in `ts`');
  if (typeof name !== 'string') return fault('has no `event`');
  if (typeof prev !== 'string') return fault('has no `prev`');
  const fields = FIELDS.get(name);
  if (fields === undefined) return { line: 'unknown', name, prev };
  const counts = JUDGEMENTS.has(name) ? retryOfJudgement : retry;
  if (!stage(value['stage']) || !repeat(value['repeat']) || !counts(value['retry'])) return fault(`has a wrong place in a ${name}`);
  for (const [field, check] of fields) if (!check(value[field])) return fault(`has a wrong or missing \`${field}\` in a ${name}`);
  return { line: 'event', event: asEvent(value) };
}

/** The one boundary where a checked value becomes typed. */
function asEvent(value: object): RecordEvent {
  return value as RecordEvent;
}

function fault(message: string): ParsedLine {
  return { line: 'fault', message };
}
