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
 * null is unknown; what has another type makes the line malformed. Any other key is ignored.
 */
export function readLogEntry(line: string): LogEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { ok: false, message: `It is not JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}` };
  }
  if (!isFields(value)) return { ok: false, message: 'It is not a JSON object.' };
  const wrong = wrongField(value);
  if (wrong !== undefined) return { ok: false, message: wrong };
  const number = (key: string): number | null => numberOrNull(value[key]);
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
  return { ok: true, facts, runId: textOrNull(value['run_id']), timestamp: textOrNull(value['timestamp']) };
}

const NUMBERS = ['duration_ms', 'cost_usd', 'output_tokens', 'input_tokens', 'steps'];
const TEXTS = ['run_id', 'timestamp', 'model'];
const LISTS = ['commands', 'changed_files'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function wrongField(value: Fields): string | undefined {
  const given = (key: string): boolean => value[key] !== undefined && value[key] !== null;
  const number = NUMBERS.find((key) => given(key) && !isAmount(value[key]));
  if (number !== undefined) return `"${number}" is not a number of at least 0.`;
  const text = TEXTS.find((key) => given(key) && typeof value[key] !== 'string');
  if (text !== undefined) return `"${text}" is not a text.`;
  if (typeof value['run_id'] === 'string' && !UUID.test(value['run_id'])) return '"run_id" is not a UUID.';
  if (typeof value['timestamp'] === 'string' && Number.isNaN(Date.parse(value['timestamp']))) return '"timestamp" is not a time.';
  const list = LISTS.find((key) => given(key) && textsFrom(value[key]) === null);
  if (list !== undefined) return `"${list}" is not a list of texts.`;
  if (given('tool_calls') && callsFrom(value['tool_calls']) === null)
    return '"tool_calls" is not a list of names, or of objects with a "name".';
  const known = ['input', 'output', 'tool_calls', 'duration_ms', 'cost_usd'].some((key) => Object.hasOwn(value, key));
  return known ? undefined : 'It has none of input, output, tool_calls, duration_ms and cost_usd, so it is no run.';
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
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
