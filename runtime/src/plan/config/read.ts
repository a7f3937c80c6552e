import type { Refusal } from '@gated-flow/assembly';
import { nameMatches } from '@gated-flow/text';
import { parseYaml } from '@gated-flow/yaml';
import { readInheritable, shown } from '../options/inheritable.js';
import { readDeadline, readMaxCost } from '../limits.js';
import type { HomeConfig, Intelligence } from '../plan.js';
import { found, refused, type Resolved } from '../refusal.js';
import { EMPTY_CONFIG } from './empty.js';
import { isRecord, readOptional, refuseUnknownKeys, type FaultSink } from './faults.js';
import { readIntelligence } from './intelligence.js';
import { CONFIG_KEYS, DEFAULT_SCRUB } from './keys.js';
import { lineOf } from './lines.js';

/** The home's `config.yaml`, validated: closed keys, every fault with its line (O-5, I-11). An empty file is an empty config. */
export function readConfig(text: string): Resolved<HomeConfig> {
  const parsed = parseYaml(text);
  if (!parsed.ok) return refused(...parsed.faults.map(({ message, line }) => homeFault('frontmatter-invalid', message, line)));
  if (parsed.value === null || parsed.value === undefined) return found(EMPTY_CONFIG);
  if (!isRecord(parsed.value)) return refused(homeFault('value-invalid', `It must be a map of keys; it is ${shown(parsed.value)}.`, 1));

  const refusals: Refusal[] = [];
  const sink: FaultSink = { add: (code, path, message) => void refusals.push(homeFault(code, message, lineOf(text, path))) };
  const config = readKeys(parsed.value, sink);
  return refusals.length === 0 ? found(config) : refused(...refusals);
}

function readKeys(data: Readonly<Record<string, unknown>>, sink: FaultSink): HomeConfig {
  refuseUnknownKeys(data, { keys: CONFIG_KEYS, path: [] }, sink);
  const options = readInheritable(data);
  for (const { key, message } of options.faults) sink.add('value-invalid', [key], message);
  const deadline = readOptional(data['deadline'], readDeadline);
  if (deadline === null)
    sink.add('value-invalid', ['deadline'], `deadline must be seconds, more than 0; it is ${shown(data['deadline'])}.`);
  const maxCost = readOptional(data['max-cost'], readMaxCost);
  if (maxCost === null)
    sink.add('value-invalid', ['max-cost'], `max-cost must be US dollars, more than 0; it is ${shown(data['max-cost'])}.`);
  const intelligences = readIntelligences(data['intelligences'], sink);
  return {
    intelligences,
    options: options.value,
    scrub: withKeysOf(intelligences, Object.hasOwn(data, 'scrub') ? readNames('scrub', data, sink) : DEFAULT_SCRUB),
    gateEnv: readNames('gate-env', data, sink),
    agentEnv: readNames('agent-env', data, sink),
    redact: withKeysOf(intelligences, readNames('redact', data, sink)),
    ...(typeof deadline === 'number' ? { deadline } : {}),
    ...(typeof maxCost === 'number' ? { maxCost } : {}),
    ...readAlerts(data, sink),
  };
}

/** An address must be one that can be posted to; a command is any text but nothing. */
function readAlerts(data: Readonly<Record<string, unknown>>, sink: FaultSink): Pick<HomeConfig, 'alertWebhook' | 'alertCommand'> {
  const webhook = readOptional(data['alert-webhook'], (value) => (isWebAddress(value) ? value : null));
  if (webhook === null)
    sink.add('value-invalid', ['alert-webhook'], `alert-webhook must be an http or https address; it is ${shown(data['alert-webhook'])}.`);
  const command = readOptional(data['alert-command'], (value) => (typeof value === 'string' && value.trim() !== '' ? value : null));
  if (command === null)
    sink.add('value-invalid', ['alert-command'], `alert-command must be a shell command; it is ${shown(data['alert-command'])}.`);
  return {
    ...(typeof webhook === 'string' ? { alertWebhook: webhook } : {}),
    ...(typeof command === 'string' ? { alertCommand: command } : {}),
  };
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '');
}

function readIntelligences(value: unknown, sink: FaultSink): Readonly<Record<string, Intelligence>> {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) {
    sink.add('value-invalid', ['intelligences'], `intelligences must map names to rows; it is ${shown(value)}.`);
    return {};
  }
  const rows = Object.entries(value).map(([name, row]) => [name, readIntelligence(name, row, sink)] as const);
  return Object.fromEntries(rows.filter((row): row is [string, Intelligence] => row[1] !== null));
}

/** What a row names as holding its key is a key, whatever it is called (S-2). */
function withKeysOf(intelligences: HomeConfig['intelligences'], names: readonly string[]): readonly string[] {
  const keys = new Set(Object.values(intelligences).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []));
  const more = [...keys].filter((key) => !names.some((name) => nameMatches(key, name)));
  return more.length === 0 ? names : [...names, ...more];
}

function readNames(key: string, data: Readonly<Record<string, unknown>>, sink: FaultSink): readonly string[] {
  const value = data[key];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((name): name is string => typeof name === 'string' && /^[A-Za-z0-9_*]+$/.test(name)))
    return value;
  sink.add('value-invalid', [key], `${key} must be a list of variable names, with * for any letters; it is ${shown(value)}.`);
  return [];
}

function homeFault(code: Refusal['code'], message: string, line: number | null): Refusal {
  return { code, path: 'home:config.yaml', message: line === null ? message : `Line ${line}: ${message}` };
}
