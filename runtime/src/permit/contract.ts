import { placeOf, slotForm } from '../agent/tools/place.js';
import type { LiveCall } from '../contract/held.js';
import { ALLOWED, type Call, type Caller, type Link } from './link.js';

/** The contracts over the stage: what would break a clause or cross a limit does not happen, and ends the stage (C-7, C-13). */
export const contract: Link = {
  name: 'contract',
  judge({ tool, input }, caller) {
    const { contracts } = caller;
    if (contracts === undefined) return ALLOWED;
    const ending = contracts.call(seenBy({ tool, input }, caller));
    return ending === null ? ALLOWED : { ok: false, denied: true, output: 'not run', ending };
  },
};

/** A call as contracts see it. */
export function seenBy({ tool, input }: Call, caller: Pick<Caller, 'slots'>): LiveCall {
  const reaches = tool.reach(input);
  return {
    tool: tool.spec.name,
    input,
    commands: reaches.flatMap((reach) => (reach.operation === 'bash' ? [reach.command] : [])),
    changes: reaches.flatMap((reach) => (reach.operation === 'write' || reach.operation === 'edit' ? changed(reach.path, caller) : [])),
    unseen: UNSEEN.has(tool.spec.name),
  };
}

/** Tools whose changes to files nobody is told of. */
const UNSEEN = new Set(['bash', 'subflow']);

/** Relative to the working tree where it lies there, else by its slot. The output itself and what is temporary are no changes. */
function changed(path: string, { slots }: Pick<Caller, 'slots'>): readonly string[] {
  const place = placeOf(path, slots);
  if (!place.ok) return [];
  const own = (slots['OUTPUT'] !== undefined && place.path === slots['OUTPUT']) || isIn(place.path, slots['TMP']);
  if (own) return [];
  const tree = slots['PWD'];
  if (tree !== undefined && isIn(place.path, tree)) return [place.path.slice(tree.length + 1)];
  return [slotForm(place.path, slots) ?? place.path];
}

function isIn(path: string, folder: string | undefined): boolean {
  return folder !== undefined && path.startsWith(`${folder}/`);
}
