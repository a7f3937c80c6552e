import type { Content, RunFacts, ToolCall } from '../facts.js';
import { NOTHING_KNOWN } from '../facts.js';
import { isFields } from '../read/values.js';
import type { Fields } from '../read/values.js';

export type LogEntry =
  | { readonly ok: true; readonly facts: RunFacts; readonly runId: string | null; readonly timestamp: string | null }
  | { readonly ok: false; readonly message: string };

/**
 * One line of a run log (seed section 10): `input`, `output`, `tool_calls`, `duration_ms`, `cost_usd`, and besides what else is
 * known: `run_id`, `timestamp`, `input_tokens`, `output_tokens`, `steps`, `model`, `commands`, `changed_files`. What is absent or
 * null is unknown. One of the five that has another type makes the line malformed; another key may mean something else to whoever
 * wrote the log, so what does not fit there is unknown.
 */
export function readLogEntry(line: string): LogEntry {
  if (line.startsWith('\ufeff')) return { ok: false, message: 'It begins with a byte-order mark. Save the log without one.' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { ok: false, message: `It is not JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}` };
  }
  if (!isFields(value)) return { ok: false, message: 'It is not a JSON object.' };
  if (DEEP.some((key) => isDeeperThan(value[key], MOST_LEVELS)))
    return { ok: false, message: `It is nested deeper than ${MOST_LEVELS} levels.` };
  const wrong = wrongField(value);
  if (wrong !== undefined) return { ok: false, message: wrong };
  const number = (key: string): number | null => amountOrNull(value[key]);
  const facts: RunFacts = {
    ...NOTHING_KNOWN,
    input: contentFrom(value['input']),
    output: contentFrom(value['output']),
    toolCalls: callsFrom(value['tool_calls']),
    durationMs: number('duration_ms'),
    costUsd: number('cost_usd'),
    outputTokens: number('output_tokens'),
    inputTokens: number('input_tokens'),
    steps: number('steps'),
    commands: textsFrom(value['commands']),
    changedFiles: textsFrom(value['changed_files']),
    agentModel: typeof value['model'] === 'string' ? value['model'] : null,
  };
  return { ok: true, facts, runId: textLike(UUID, value['run_id']), timestamp: timeOrNull(value['timestamp']) };
}

/** What is written as JSON again, for a judge, a plugin or a pattern: that is recursive, and so bounded. */
const DEEP = ['input', 'output', 'tool_calls'];
const MOST_LEVELS = 1000;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1));
}

const NUMBERS = ['duration_ms', 'cost_usd'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}.*)?$/;

function wrongField(value: Fields): string | undefined {
  const given = (key: string): boolean => value[key] !== undefined && value[key] !== null;
  const number = NUMBERS.find((key) => given(key) && amountOrNull(value[key]) === null);
  if (number !== undefined) return `"${number}" is not a number of at least 0.`;
  if (given('tool_calls') && callsFrom(value['tool_calls']) === null)
    return '"tool_calls" is not a list of names, or of objects with a "name".';
  const known = ['input', 'output', 'tool_calls', 'duration_ms', 'cost_usd'].some((key) => Object.hasOwn(value, key));
  return known ? undefined : 'It has none of input, output, tool_calls, duration_ms and cost_usd, so it is no run.';
}

function amountOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function textLike(pattern: RegExp, value: unknown): string | null {
  return typeof value === 'string' && pattern.test(value) ? value : null;
}

/** ISO 8601: it stands in the audit as it was written. */
function timeOrNull(value: unknown): string | null {
  const text = textLike(TIME, value);
  return text === null || Number.isNaN(Date.parse(text)) ? null : text;
}

/** A value that is no text is its JSON. */
function contentFrom(value: unknown): Content | null {
  if (value === undefined || value === null) return null;
  return { text: typeof value === 'string' ? value : JSON.stringify(value) };
}

function textsFrom(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((each): each is string => typeof each === 'string');
  return texts.length === value.length ? texts : null;
}

function callsFrom(value: unknown): ToolCall[] | null {
  if (!Array.isArray(value)) return null;
  const calls: ToolCall[] = [];
  for (const each of value) {
    const call = callFrom(each);
    if (call === null) return null;
    calls.push(call);
  }
  return calls;
}

/** The names of the fields differ between those who write logs. */
function callFrom(value: unknown): ToolCall | null {
  if (typeof value === 'string') return { name: value };
  if (!isFields(value)) return null;
  const name = [value['name'], value['tool'], value['toolName'], value['tool_name']].find((each) => typeof each === 'string');
  if (typeof name !== 'string') return null;
  const given = value['arguments'] ?? value['args'] ?? value['input'];
  return given === undefined ? { name } : { name, arguments: given };
}
