import type { Fetch } from '../models/discovery.js';

/** The network, for the one question that is asked without a provider: is there a local model? (M-2) */
export const networkFetch: Fetch = (url, init) => fetch(url, init);
