import { type ReadConfig, readOnce } from '../plan/config/load.js';

/** The configs of homes on this disk, each read once. Nothing is loaded for it before one is asked for. */
export function openConfigs(): ReadConfig {
  return readOnce(async (home) => {
    const [{ loadConfig }, { createDisk }] = await Promise.all([import('../plan/config/load.js'), import('./disk.js')]);
    return loadConfig(home, createDisk());
  });
}
