import type { ContractConfig } from '../discover.js';
import type { Judging } from '../evaluate/ports.js';
import { newBoundary } from './identity.js';
import { directoryCache, memoryCache } from './judge-cache.js';
import { findJudges } from './judges.js';
import type { Environment } from './web.js';

export interface JudgingOptions {
  /** `provider/model`; before the environment's and the config's. */
  readonly judge?: string;
  readonly judgeUrl?: string;
  readonly judgeErrors?: 'fail' | 'warn';
  /** A directory. */
  readonly judgeCache?: string;
  readonly config?: ContractConfig;
  readonly env: Environment;
}

export type JudgingFound = { readonly ok: true; readonly judging?: Judging } | { readonly ok: false; readonly message: string };

/** Who judges, by option, environment and config, in this order (C-6). No judge: `judging` is absent. */
export function openJudging(options: JudgingOptions): JudgingFound {
  const { env, config = {} } = options;
  // An empty variable is none: so a CI job passes on what it does not have.
  const judge = options.judge ?? (env['AGENTCONTRACT_JUDGE'] || config.judge);
  const url = options.judgeUrl ?? (env['AGENTCONTRACT_JUDGE_URL'] || config.judgeUrl);
  const found = findJudges(
    {
      ...(judge === undefined ? {} : { judge }),
      ...(url === undefined ? {} : { url }),
      ...(config.judgeKeyEnv === undefined ? {} : { keyEnv: config.judgeKeyEnv }),
    },
    env,
  );
  if (!found.ok) return found;
  if (found.candidates().length === 0) return { ok: true };
  const judging: Judging = {
    candidates: (model) => found.candidates(model),
    boundary: newBoundary,
    cache: options.judgeCache === undefined ? memoryCache() : directoryCache(options.judgeCache),
    errors: options.judgeErrors ?? 'fail',
  };
  return { ok: true, judging };
}
