import { inner } from '../../../packages/text/src/inner.js'; // fails: through-the-door
import { disk } from '../io/disk.js'; // fails: adapters-at-the-root
import { script } from '../testing/script.js'; // fails: doubles-stay-in-tests
import { walk } from './walk.js'; // fails: no-cycles

export type Plan = { readonly parts: readonly unknown[] };
export const plan: Plan = { parts: [inner, disk, script, walk] };
