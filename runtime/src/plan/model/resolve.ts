import type { Refusal } from '@gated-flow/assembly';
import type { Rung, Sourced } from '@gated-flow/record';
import type { Discovery, Environment } from '../../models/discovery.js';
import { KNOWN_KEYS } from '../../models/known.js';
import { endpointOf, sentTo } from '../../models/provider/endpoint.js';
import { nearest } from '@gated-flow/assembly';
import type { HomeConfig, Intelligence, ResolvedOptions } from '../plan.js';
import type { SpotModel } from './spot.js';

/** All that decides which model a name stands for. */
export interface ModelWorld {
  readonly config: HomeConfig;
  readonly env: Environment;
  readonly spot: SpotModel;
  /** What the environment offers; null when nothing, or when nobody needs a model. */
  readonly discovered: Discovery | null;
  /** False when a script or a rehearsal answers: then nothing is resolved (O-5). */
  readonly needed: boolean;
}

export interface ResolvedModel {
  readonly options: Pick<ResolvedOptions, 'intelligence' | 'provider' | 'model' | 'reasoning'>;
  readonly row: Intelligence | null;
  /** Why a run could not use it; a check makes it a warning. */
  readonly fault: Refusal | null;
}

/** What an agent that asks for `asked` gets: the command's own model, else the named row, else what the environment offers (O-5, M-2). */
export function resolveModel(asked: Sourced<string | null>, world: ModelWorld): ResolvedModel {
  if (!world.needed) return unresolved(asked, null);
  if (world.spot.row)
    return resolved(
      { value: `${world.spot.row.provider}/${world.spot.row.model}`, from: 'command' },
      onTheSpot(world.spot.row, world.config),
      { from: 'command', world },
    );
  const name = asked.value ?? 'default';
  const row = Object.hasOwn(world.config.intelligences, name) ? world.config.intelligences[name] : undefined;
  if (row) return resolved({ value: name, from: asked.from }, row, { from: 'home', world });
  if (name !== 'default') return unresolved(asked, noRow(name, asked.from, world));
  if (world.discovered)
    return resolved({ value: name, from: 'environment' }, world.discovered.intelligence, { from: 'environment', world });
  return unresolved(asked, noModel());
}

function unresolved(asked: Sourced<string | null>, fault: Refusal | null): ResolvedModel {
  const none: Sourced<null> = { value: null, from: 'default' };
  return { options: { intelligence: asked, provider: none, model: none, reasoning: none }, row: null, fault };
}

function resolved(intelligence: Sourced<string>, found: Intelligence, { from, world }: { from: Rung; world: ModelWorld }): ResolvedModel {
  const { reasoning } = world.spot;
  const elsewhere = sentTo(found, world.env);
  const row = { ...found, ...(reasoning ? { reasoning } : {}), ...(elsewhere === undefined ? {} : { sentTo: elsewhere }) };
  return {
    options: {
      intelligence,
      provider: { value: row.provider, from },
      model: { value: row.model, from },
      reasoning: row.reasoning ? { value: row.reasoning, from: reasoning ? 'command' : from } : { value: null, from: 'default' },
    },
    row,
    fault: unusable(row, { from, env: world.env }),
  };
}

/** A model of a provider that the home knows is reached the way the home reaches that provider. */
function onTheSpot({ provider, model }: { provider: string; model: string }, config: HomeConfig): Intelligence {
  const rows = Object.values(config.intelligences).filter((row) => row.provider === provider);
  const same = rows.find((row) => row.model === model);
  if (same) return same;
  const near = rows[0];
  return {
    provider,
    model,
    ...(near?.baseUrl === undefined ? {} : { baseUrl: near.baseUrl }),
    ...(near?.apiKeyEnv === undefined ? {} : { apiKeyEnv: near.apiKeyEnv }),
  };
}

/** What keeps the row's model from being asked: no key, or a provider that does not exist. */
function unusable(row: Intelligence, { from, env }: { from: Rung; env: Environment }): Refusal | null {
  const endpoint = endpointOf(row, env);
  const [refusal] = endpoint.ok ? [] : endpoint.refusals;
  return refusal === undefined ? null : { ...refusal, path: from === 'command' ? 'command' : 'home:config.yaml' };
}

function noRow(name: string, from: Rung, { config }: ModelWorld): Refusal {
  const names = Object.keys(config.intelligences);
  const meant = nearest(name, names);
  const rows = names.length === 0 ? 'The home has no rows' : `Its rows are ${names.join(', ')}`;
  return {
    code: 'intelligence-unresolved',
    path: from === 'command' ? 'command' : 'home:config.yaml',
    message: `No row of intelligences is named "${name}" (asked for by the ${from}). ${rows}.${meant === undefined ? '' : ` Did you mean ${meant}?`} Add the row, or say --model PROVIDER/MODEL.`,
  };
}

function noModel(): Refusal {
  return {
    code: 'intelligence-unresolved',
    path: 'home:config.yaml',
    message: `No model was found: the home has no row "default", and none of ${KEY_NAMES.join(', ')} is set. Set one, add the row, say --model PROVIDER/MODEL, or --rehearse.`,
    fix: `export ${KEY_NAMES[0]}=…`,
  };
}

/** The variables by which a default model is found. */
export const KEY_NAMES: readonly string[] = KNOWN_KEYS.map(({ variable }) => variable);
