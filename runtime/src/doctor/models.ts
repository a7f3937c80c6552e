import { isSet, type Environment } from '../models/discovery.js';
import { findingsOf, type Finding } from './finding.js';

/** What of `flow models` says something about a first run. */
export interface ModelFacts {
  readonly env: Environment;
  /** Every variable that may hold a key, those that rows name included. */
  readonly variables: readonly string[];
  /** What a stage gets that names no model. */
  readonly default:
    | (Usability & { readonly provider: string; readonly model: string; readonly found: string; readonly from: 'home' | 'environment' })
    | null;
  readonly rows: readonly (Usability & { readonly name: string })[];
  readonly ollama: { readonly address: string; readonly models: readonly string[] | null; readonly trouble: string | null };
}

interface Usability {
  readonly usable: boolean;
  readonly problem: string | null;
  readonly fix: string | null;
}

const { ok, note, problem } = findingsOf('models');

/** Keys (present or not, never shown), a local Ollama, and which model a run would ask (I-11, M-2). */
export function judgeModels(facts: ModelFacts): readonly Finding[] {
  return [judgeDefault(facts.default), ...judgeKeys(facts), judgeOllama(facts.ollama), ...facts.rows.flatMap(judgeRow)];
}

function judgeDefault(found: ModelFacts['default']): Finding {
  if (found === null) {
    return problem('default', 'no model was found', {
      why: 'A run is refused without one. flow run --rehearse needs none.',
      fix: 'export ANTHROPIC_API_KEY=…',
    });
  }
  const named = `${found.provider}/${found.model}, by ${found.from === 'home' ? `the row ${found.found}` : found.found}`;
  if (found.usable) return ok('default', named);
  return problem('default', `${named}: it cannot be used`, {
    ...(found.problem === null ? {} : { why: found.problem }),
    ...(found.fix === null ? {} : { fix: found.fix }),
  });
}

function judgeKeys({ env, variables }: Pick<ModelFacts, 'env' | 'variables'>): readonly Finding[] {
  const present = variables.filter((variable) => isSet(env[variable]));
  const empty = variables.filter((variable) => env[variable] !== undefined && !isSet(env[variable]));
  const absent = variables.filter((variable) => env[variable] === undefined);
  return [
    ...present.map((variable) => judgeKey(variable, env[variable] ?? '')),
    ...empty.map((variable) => note(variable, 'set, but empty', { why: 'It counts as not set.', fix: `unset ${variable}` })),
    ...(absent.length === 0 ? [] : [ok('keys', `not set: ${absent.join(', ')}`)]),
  ];
}

/** Says nothing about the key but what makes it a wrong one. */
function judgeKey(variable: string, key: string): Finding {
  const again = { why: 'Servers will refuse it.', fix: `export ${variable}=…` };
  if (/^(["']).*\1$/s.test(key.trim())) return note(variable, 'set, with quotation marks as part of it', again);
  if (/\s/.test(key.trim())) return note(variable, 'set, with white space inside it', again);
  if (/[^\x21-\x7e]/.test(key.trim())) return note(variable, 'set, with characters that no key has', again);
  return ok(variable, 'set');
}

function judgeOllama({ address, models, trouble }: ModelFacts['ollama']): Finding {
  if (models === null) return ok('ollama', `none at ${address}: ${trouble ?? 'no answer'}`);
  if (models.length === 0) return note('ollama', `at ${address}, without a model`, { fix: 'ollama pull qwen3:8b' });
  return ok('ollama', `at ${address}, with ${models.slice(0, 3).join(', ')}${models.length > 3 ? ` and ${models.length - 3} more` : ''}`);
}

function judgeRow({ name, usable, problem: why, fix }: ModelFacts['rows'][number]): readonly Finding[] {
  if (usable) return [];
  return [note(`row ${name}`, 'it cannot be used', { ...(why === null ? {} : { why }), ...(fix === null ? {} : { fix }) })];
}
