import type { Endpoint } from '../../doctor/network.js';
import type { Environment } from '../../models/discovery.js';
import { endpointOf } from '../../models/provider/endpoint.js';
import type { Intelligence } from '../../plan/plan.js';
import type { ReachTarget } from '../../ports/probe.js';

/** A row as a run would name it. */
export interface NamedRow {
  readonly name: string;
  readonly row: Intelligence;
  readonly isDefault: boolean;
}

export interface Question {
  readonly endpoint: Endpoint;
  readonly target: ReachTarget;
}

/** One question for each server and key that the usable rows need: which models do you have? It sends the row's key, no prompt, and costs nothing. */
export function questionsOf(rows: readonly NamedRow[], env: Environment): readonly Question[] {
  const questions = new Map<string, Question>();
  for (const { name, row, isDefault } of rows) {
    const result = endpointOf(row, env);
    if (!result.ok) continue;
    const { baseUrl: address, key, provider, model } = result.endpoint;
    const id = JSON.stringify([provider, address, key]);
    const before = questions.get(id)?.endpoint;
    const endpoint: Endpoint = {
      ...{ provider, address, variable: key === undefined ? null : (row.apiKeyEnv ?? variableOf(key, env)) },
      models: [...new Set([...(before?.models ?? []), model])],
      rows: [...(before?.rows ?? []), name],
      isDefault: isDefault || (before?.isDefault ?? false),
    };
    questions.set(id, { endpoint, target: { url: `${address}/models${queryOf(provider)}`, headers: headersOf(provider, key) } });
  }
  return [...questions.values()];
}

function variableOf(key: string, env: Environment): string | null {
  return Object.entries(env).find(([name, value]) => /_API_KEY$/.test(name) && value?.trim() === key)?.[0] ?? null;
}

/** All of them at once: the model that is asked for must not be on a second page. */
function queryOf(provider: string): string {
  return provider === 'anthropic' ? '?limit=1000' : provider === 'google' ? '?pageSize=1000' : '';
}

function headersOf(provider: string, key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
  return provider === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };
}
