import type { Reach } from '../agent/tools/tool.js';
import { isWithin, placeOf } from '../agent/tools/place.js';
import { realPlace } from '../agent/tools/real-place.js';
import { ALLOWED, denied, type Caller, type Permission } from './link.js';

type FileReach = Exclude<Reach, { operation: 'bash' }>;

/** A file operation stays inside the slots that are allowed for it, judged by real paths: a link that leads out is out (A-16). */
export async function accessToFile(
  { operation, path }: FileReach,
  allowed: readonly string[],
  { slots, disk }: Caller,
): Promise<Permission> {
  const place = placeOf(path, slots);
  if (!place.ok) return { ok: false, denied: false, output: place.message };
  const names = allowed.map((name) => name.toUpperCase());
  const real = await realPlace(place.path, disk);
  if (real !== null) {
    for (const name of names) {
      const slot = slots[name];
      const root = slot === undefined ? null : await realPlace(slot, disk);
      if (root !== null && isWithin(real, root)) return ALLOWED;
    }
  }
  return denied(`\`${operation}\` may not be used on ${place.shown}. It may be used in: ${names.map((name) => `$${name}`).join(', ')}.`);
}
