import type { HomeConfig } from '../plan.js';
import { DEFAULT_SCRUB } from './keys.js';

/** What counts where a home says nothing. */
export const EMPTY_CONFIG: HomeConfig = {
  intelligences: {},
  options: {},
  scrub: DEFAULT_SCRUB,
  gateEnv: [],
  agentEnv: [],
  redact: [],
};
