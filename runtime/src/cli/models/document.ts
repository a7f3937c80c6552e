import type { Rung } from '@gated-flow/record';
import { type Environment, keyRungs, type OllamaAnswer, ollamaDefault } from '../../models/discovery.js';
import type { HomeConfig, Intelligence } from '../../plan/plan.js';
import { publicAddress } from '../../models/public-address.js';
import { type ModelRow, modelRow } from './row.js';

/** `flow models --json` (M-2, M-3): where a model was looked for, what was found, and what it costs. Keys are never in it, only whether they are there. */
export interface ModelsDocument {
  readonly kind: 'flow.models';
  readonly version: 1;
  /** Absolute; null when nothing says where the home is. */
  readonly home: string | null;
  /** What a stage gets that names no intelligence; null when there is nothing. */
  readonly default: DefaultModel | null;
  /** Every place in the order in which it is looked at; the first that has something wins. */
  readonly discovery: readonly Place[];
  /** The rows of the home's config.yaml, as they stand there. */
  readonly rows: readonly ModelRow[];
}

export interface DefaultModel extends ModelRow {
  readonly from: Extract<Rung, 'home' | 'environment'>;
  /** The row, the variable or the address that it was found by. */
  readonly found: string;
}

export interface Place {
  readonly place: 'row' | 'variable' | 'ollama';
  /** The row's name, the variable's name, the server's address. */
  readonly name: string;
  readonly state: 'wins' | 'passed-over' | 'absent';
  /** What it offers, or would offer. */
  readonly provider: string | null;
  readonly model: string | null;
  /** Why it is absent, where that can be said. */
  readonly detail: string | null;
}

export interface Findings {
  readonly home: string | null;
  readonly config: HomeConfig;
  readonly env: Environment;
  readonly ollama: OllamaAnswer;
}

/** What was found and why (M-2). Asks nobody. */
export function modelsDocument({ home, config, env, ollama }: Findings): ModelsDocument {
  const asked = config.options.intelligence ?? 'default';
  const rows = Object.entries(config.intelligences).map(([name, row]) => modelRow(name, row, env));
  const places = lookedAt(asked, { config, env, ollama });
  return { kind: 'flow.models', version: 1, home, default: defaultModel(asked, { config, env, ollama }), discovery: places, rows };
}

/** The environment stands in only for a row named `default`: a name that the home asks for must be a row of it (O-5). */
function lookedAt(asked: string, { config, env, ollama }: Omit<Findings, 'home'>): readonly Place[] {
  const row = rowNamed(asked, config);
  const own: Unjudged = { place: 'row', name: asked, offered: row, detail: row === null ? 'config.yaml has no such row' : null };
  if (asked !== 'default') return judged([own]);
  const keys = keyRungs(env).map(({ variable, present, intelligence }): Unjudged => ({
    ...{ place: 'variable', name: variable, would: intelligence, detail: null },
    offered: present ? intelligence : null,
  }));
  const local = ollamaDefault(ollama)?.intelligence ?? null;
  const silent = ollama.trouble ?? (local === null ? 'it has no model yet: ollama pull qwen3:8b' : null);
  return judged([own, ...keys, { place: 'ollama', name: publicAddress(ollama.address), offered: local, detail: silent }]);
}

interface Unjudged extends Pick<Place, 'place' | 'name' | 'detail'> {
  readonly offered: Intelligence | null;
  readonly would?: Intelligence;
}

function judged(places: readonly Unjudged[]): readonly Place[] {
  const winner = places.find(({ offered }) => offered !== null);
  return places.map((place) => {
    const { offered, would = offered } = place;
    const state = offered === null ? 'absent' : place === winner ? 'wins' : 'passed-over';
    return {
      place: place.place,
      name: place.name,
      state,
      provider: would?.provider ?? null,
      model: would?.model ?? null,
      detail: place.detail,
    };
  });
}

function defaultModel(asked: string, { config, env, ollama }: Omit<Findings, 'home'>): DefaultModel | null {
  const row = rowNamed(asked, config);
  if (row !== null) return { ...modelRow(asked, row, env), from: 'home', found: asked };
  if (asked !== 'default') return null;
  const key = keyRungs(env).find(({ present }) => present);
  if (key !== undefined) return { ...modelRow('default', key.intelligence, env), from: 'environment', found: key.variable };
  const local = ollamaDefault(ollama);
  return local === null
    ? null
    : { ...modelRow('default', local.intelligence, env), from: 'environment', found: publicAddress(local.found) };
}

function rowNamed(name: string, { intelligences }: HomeConfig): Intelligence | null {
  return Object.hasOwn(intelligences, name) ? (intelligences[name] ?? null) : null;
}
