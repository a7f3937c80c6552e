import type { Refusal } from '@gated-flow/assembly';
import type { Usage } from '../../ports/model.js';
import { readExpectation, type Expectation } from './expect.js';
import { isObject, type JsonObject } from '../json.js';
import { fieldsOf, type Fields } from './fields.js';
import type { JudgeLine, LineFault, Script, ScriptedCall, StageLine } from './line.js';

export type ScriptReading = { readonly ok: true; readonly script: Script } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Reads a script: one JSON object a line, blank lines aside (M-5). Every fault of every line is a refusal at `script:LINE`. */
export function readScript(text: string): ScriptReading {
  const lines: StageLine[] = [];
  const judgements: JudgeLine[] = [];
  const refusals: Refusal[] = [];
  text.split('\n').forEach((written, index) => {
    if (written.trim() === '') return;
    const line = index + 1;
    const faults: LineFault[] = [];
    const object = objectIn(written, faults);
    const read = object && (Object.hasOwn(object, 'judge') ? readJudgeLine(object, line, faults) : readStageLine(object, line, faults));
    refusals.push(...faults.map((fault) => ({ ...fault, path: `script:${line}` })));
    if (read === undefined || faults.length > 0) return;
    if ('judge' in read) judgements.push(read);
    else lines.push(read);
  });
  return refusals.length > 0 ? { ok: false, refusals } : { ok: true, script: { lines, judgements } };
}

function objectIn(written: string, faults: LineFault[]): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(written);
    if (isObject(value)) return value;
    faults.push({ code: 'value-invalid', message: 'The line is JSON, but not an object. A line is {"stage": …} or {"judge": …}.' });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    faults.push({ code: 'value-invalid', message: `The line is not JSON: ${why}. A script has one whole JSON object on each line.` });
  }
  return undefined;
}

const JUDGE_KEYS = ['judge', 'verdict', 'reason'];

function readJudgeLine(object: JsonObject, line: number, faults: LineFault[]): JudgeLine | undefined {
  const fields = fieldsOf(object, faults);
  fields.onlyKeys(JUDGE_KEYS);
  const judge = required(fields, 'judge', faults);
  const verdict = fields.oneOf('verdict', ['PASS', 'FAIL']);
  if (!fields.has('verdict')) faults.push({ code: 'key-missing', message: 'A `judge` line needs a `verdict`, PASS or FAIL.' });
  const reason = fields.text('reason') ?? '';
  return judge === undefined || verdict === undefined ? undefined : { line, judge, verdict, reason };
}

const STAGE_KEYS = [
  ...['stage', 'flow', 'item', 'repeat', 'text', 'calls', 'stop', 'status'],
  ...['retry_after', 'message', 'delay_ms', 'usage', 'expect'],
];
const ERROR_KEYS = ['status', 'retry_after', 'message'];

function readStageLine(object: JsonObject, line: number, faults: LineFault[]): StageLine | undefined {
  const fields = fieldsOf(object, faults);
  fields.onlyKeys(STAGE_KEYS);
  const stage = required(fields, 'stage', faults);
  const calls = readCalls(fields, faults);
  const stop: StageLine['stop'] = fields.oneOf('stop', ['end', 'length', 'error']) ?? (calls.length > 0 ? 'calls' : 'end');
  for (const key of ERROR_KEYS) {
    if (fields.has(key) && object['stop'] !== 'error') {
      faults.push({ code: 'value-invalid', message: `\`${key}\` describes a provider failure: it needs "stop": "error" beside it.` });
    }
  }
  const read = {
    ...{ line, calls, stop, flow: fields.text('flow'), item: fields.text('item'), repeat: fields.count('repeat', 1) },
    ...{ status: fields.count('status', 100, 599), retryAfter: fields.amount('retry_after'), message: fields.text('message') },
    text: fields.text('text') ?? '',
    delayMs: fields.amount('delay_ms') ?? 0,
    usage: readUsage(fields, faults),
    expect: readExpect(fields, faults),
  };
  return stage === undefined ? undefined : { stage, ...read };
}

function required(fields: Fields, key: string, faults: LineFault[]): string | undefined {
  if (!fields.has(key)) {
    faults.push({ code: 'key-missing', message: 'A line needs `stage`, the path of the stage that it answers for, or `judge`, a clause.' });
    return undefined;
  }
  const value = fields.text(key);
  if (value === '') faults.push({ code: 'value-invalid', message: `\`${key}\` must not be empty.` });
  return value;
}

function readCalls(fields: Fields, faults: LineFault[]): readonly ScriptedCall[] {
  return (fields.list('calls') ?? []).flatMap((call, index) => {
    if (!isObject(call)) {
      faults.push({ code: 'value-invalid', message: `\`calls[${index}]\` must be an object with \`tool\` and \`input\`.` });
      return [];
    }
    const inner = fieldsOf(call, faults, `calls[${index}].`);
    inner.onlyKeys(['tool', 'input']);
    const tool = inner.text('tool');
    if (!inner.has('tool')) faults.push({ code: 'key-missing', message: `\`calls[${index}]\` names no \`tool\`.` });
    return tool === undefined ? [] : [{ tool, input: inner.has('input') ? call['input'] : {} }];
  });
}

const USAGE_KEYS = ['input', 'output', 'cache_read', 'cache_write'];

function readUsage(fields: Fields, faults: LineFault[]): Usage {
  const written = fields.object('usage');
  if (written === undefined) return { input: 0, output: 0, cache_read: 0, cache_write: 0 };
  const inner = fieldsOf(written, faults, 'usage.');
  inner.onlyKeys(USAGE_KEYS);
  const tokens = (key: string): number => inner.count(key, 0) ?? 0;
  return { input: tokens('input'), output: tokens('output'), cache_read: tokens('cache_read'), cache_write: tokens('cache_write') };
}

function readExpect(fields: Fields, faults: LineFault[]): Expectation | undefined {
  const written = fields.text('expect');
  if (written === undefined) return undefined;
  const reading = readExpectation(written);
  if (reading.ok) return reading.expect;
  faults.push({ code: 'value-invalid', message: `\`expect\` is no regular expression: ${reading.message}` });
  return undefined;
}
