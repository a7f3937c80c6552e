/** The rule packs that ship, by name (V-2). */
import { CREDENTIALS } from './credentials.js';
import { DESTRUCTIVE } from './destructive.js';
import { HISTORY } from './history.js';
import { INSTALL } from './install.js';
import { NETWORK } from './network.js';
import type { Pack, PackName } from './pack.js';
import { PRIVILEGE } from './privilege.js';

export const PACKS: Readonly<Record<PackName, Pack>> = {
  destructive: DESTRUCTIVE,
  install: INSTALL,
  network: NETWORK,
  privilege: PRIVILEGE,
  credentials: CREDENTIALS,
  history: HISTORY,
};
