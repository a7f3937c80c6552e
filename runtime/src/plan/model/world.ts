import type { Invocation } from '../invocation.js';
import type { HomeConfig } from '../plan.js';
import type { PreparePorts } from '../prepare.js';
import type { ModelWorld } from './resolve.js';
import type { SpotModel } from './spot.js';

/** The environment is asked for a default only when one may be needed: no model of the command's, no `default` row (M-2). */
export async function modelWorld(
  said: { config: HomeConfig; spot: SpotModel; invocation: Invocation },
  ports: PreparePorts,
): Promise<ModelWorld> {
  const { config, spot, invocation } = said;
  const needed = invocation.models === 'provider';
  const ask = needed && spot.row === undefined && !Object.hasOwn(config.intelligences, 'default');
  return { config, env: ports.env, spot, discovered: ask ? await ports.discover() : null, needed };
}
