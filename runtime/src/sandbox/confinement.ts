/** Where the file tools of a contained agent may go (I-13). Pure. */
import { isWithin } from '../agent/tools/place.js';
import type { Allows } from '../ports/containment.js';
import { placeOver, type Place } from './places.js';

export interface Confinement {
  /** `$PWD` and the slots: real paths. */
  readonly roots: readonly string[];
  /** As `arrange` gives them. */
  readonly places: readonly Place[];
}

/** In `$PWD` and the slots, but not where a command would see nothing, nor change what git obeys. */
export function allowsOf({ roots, places }: Confinement): Allows {
  return (real, writes) => {
    if (!roots.some((root) => isWithin(real, root))) return false;
    const over = placeOver(places, real);
    if (over === null) return true;
    if (over.sight === 'hidden' || over.sight === 'private') return false;
    return !writes || over.sight === 'writable' || roots.includes(over.path);
  };
}
