/** Who judges the clauses of contracts in a run, and how they are asked (M-4, C-6). */
import type { Judge, JudgeAnswer, JudgeQuestion, Judging } from '@gated-flow/contract';
import { ask } from '../agent/ask.js';
import { KNOWN_KEYS } from '../models/known.js';
import type { OpenedModel } from '../models/provider/open.js';
import type { Intelligence } from '../plan/plan.js';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Stop } from '../ports/stop.js';
import type { Budget } from '../run/budget.js';

export type JudgeSource =
  | { readonly judges: 'models' }
  /** Answers from a script: what it says of a clause, or null when it says nothing more. */
  | { readonly judges: 'script'; answer(clause: string): ScriptedVerdict | null }
  | { readonly judges: 'nobody'; readonly why: string };

export interface ScriptedVerdict {
  readonly verdict: 'PASS' | 'FAIL';
  readonly reason: string;
}

export interface JudgePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly stop: Stop;
  /** The judge's cost counts in the run's, not in a contract's (C-7). */
  readonly budget: Budget;
  openModel(row: Intelligence): Promise<OpenedModel>;
}

/** Undefined where nobody is asked. Verdicts are kept for the run. */
export function judgingBy(source: JudgeSource, rows: readonly Intelligence[], ports: JudgePorts): Judging | undefined {
  if (source.judges === 'nobody' || (source.judges === 'models' && rows.length === 0)) return undefined;
  const cache = new Map<string, string>();
  return {
    candidates: (model) => (source.judges === 'script' ? [scripted(source)] : rowsFor(model, rows).map((row) => modelJudge(row, ports))),
    boundary: () => ports.ids.hex(24),
    cache: { get: async (key) => cache.get(key), set: async (key, answer) => void cache.set(key, answer) },
  };
}

function scripted(source: Extract<JudgeSource, { judges: 'script' }>): Judge {
  return {
    name: 'scripted/judge',
    async ask({ clause, passes, schema }) {
      const said = source.answer(clause);
      if (said === null) return { ok: false, message: 'the script has no verdict for it', unevaluated: true };
      const { verdict, reason } = said;
      const answers = 'properties' in schema && JSON.stringify(schema.properties).startsWith('{"answer"');
      const reply = answers ? { answer: verdict === 'PASS' ? passes : `not ${passes}`, reason } : { verdict, reason };
      return { ok: true, text: JSON.stringify(reply), costUsd: 0 };
    },
  };
}

/** A model that a clause names is asked the way the first judge of its provider is. The others follow: it may be the agent's own. */
function rowsFor(model: string | undefined, rows: readonly Intelligence[]): readonly Intelligence[] {
  const [first] = rows;
  if (model === undefined || first === undefined) return rows;
  const slash = model.indexOf('/');
  const named = slash === -1 ? '' : model.slice(0, slash);
  const known = rows.some(({ provider }) => provider === named) || KNOWN_KEYS.some(({ provider }) => provider === named);
  if (!known) return [sameWay(first, model), ...rows];
  const near = rows.find(({ provider }) => provider === named);
  return [near === undefined ? { provider: named, model: model.slice(slash + 1) } : sameWay(near, model.slice(slash + 1)), ...rows];
}

function sameWay({ provider, baseUrl, apiKeyEnv }: Intelligence, model: string): Intelligence {
  return { provider, model, ...(baseUrl === undefined ? {} : { baseUrl }), ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }) };
}

/** How long a judge may take, with all tries. */
const JUDGE_MS = 120_000;

function modelJudge(row: Intelligence, ports: JudgePorts): Judge {
  return { name: `${row.provider}/${row.model}`, ask: (question) => askModel(row, question, ports) };
}

async function askModel(row: Intelligence, { system, prompt }: JudgeQuestion, ports: JudgePorts): Promise<JudgeAnswer> {
  const { clock, ids, stop, budget } = ports;
  const spent = budget.exceeded();
  if (spent !== null) return { ok: false, message: spent };
  const opened = await ports.openModel(row);
  if (!opened.ok) return { ok: false, message: opened.refusals.map(({ message }) => message).join(' ') };
  const session = opened.model.open({ stage: 'judge', flow: '', place: { checklist: 0, inputs: [] } });
  const began = clock.elapsed();
  const late = new AbortController();
  const cancel = clock.after(JUDGE_MS, () => late.abort());
  const remainingMs = (): number => Math.max(0, JUDGE_MS - (clock.elapsed() - began));
  const asked = await ask(
    { session, clock, ids, remainingMs, retrying: () => {} },
    { system, messages: [{ role: 'user', text: prompt }], tools: [], signal: AbortSignal.any([stop.signal, late.signal]) },
  );
  cancel();
  if (asked.turn === 'aborted') return { ok: false, message: `it did not answer within ${JUDGE_MS / 1_000} s` };
  if (asked.turn === 'given-up') return { ok: false, message: asked.reason };
  budget.add(asked.costUsd);
  return { ok: true, text: asked.text, costUsd: asked.costUsd };
}
