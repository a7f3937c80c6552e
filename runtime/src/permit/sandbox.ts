import { placeOf } from '../agent/tools/place.js';
import { realPlace } from '../agent/tools/real-place.js';
import { ALLOWED, type Caller, denied, type Link } from './link.js';

/** With a sandbox, files are used in `$PWD` and the slots alone, by real path (I-13). Commands are contained when they run. */
export const sandbox: Link = {
  name: 'sandbox',
  async judge({ tool, input }, caller) {
    const allows = await caller.sandbox?.rules();
    if (allows === undefined) return ALLOWED;
    for (const reach of tool.reach(input)) {
      if (reach.operation === 'bash') continue;
      const place = placeOf(reach.path, caller.slots);
      if (!place.ok) return { ok: false, denied: false, output: place.message };
      const real = await realPlace(place.path, caller.disk);
      if (real === null || !allows(real, reach.operation !== 'read'))
        return denied(`\`${reach.operation}\` may not be used on ${place.shown}. It may be used in: ${slotNames(caller)}.`);
    }
    return ALLOWED;
  },
};

function slotNames({ slots }: Caller): string {
  return Object.keys(slots)
    .map((name) => `$${name}`)
    .join(', ');
}
