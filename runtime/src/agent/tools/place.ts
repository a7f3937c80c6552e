import { resolve } from 'node:path';

export type Slots = Readonly<Record<string, string>>;

/** Where a path of the agent's leads, and how it is spoken of: by its slot, never by the real path (L-6). */
export interface Place {
  readonly ok: true;
  /** Absolute; links are not resolved. */
  readonly path: string;
  readonly shown: string;
}

export interface NoPlace {
  readonly ok: false;
  readonly message: string;
}

const SLOT = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))(.*)$/s;

/** Reads a path as an agent gives it: relative to `$PWD`, absolute, or starting with a slot as `$OUTPUT`, `${INPUT}/x` (L-6). */
export function placeOf(given: string, slots: Slots): Place | NoPlace {
  if (given === '') return { ok: false, message: 'The path is empty.' };
  if (given.includes('\0')) return { ok: false, message: 'The path holds a zero byte.' };
  if (given.startsWith('~')) return { ok: false, message: `\`~\` is not understood in a path. ${advice(slots)}` };
  const slot = SLOT.exec(given);
  if (!slot) return placed(resolve(slots['PWD'] ?? '/', given), given, slots);
  const [, braced, bare, rest = ''] = slot;
  const name = braced ?? bare ?? '';
  const base = Object.hasOwn(slots, name) ? slots[name] : undefined;
  if (base === undefined) return { ok: false, message: `There is no $${name}. ${advice(slots)}` };
  if (rest !== '' && !rest.startsWith('/')) return { ok: false, message: `After $${name} a path goes on with "/", not with "${rest}".` };
  return placed(resolve(base, `.${rest}`), given, slots);
}

function placed(path: string, given: string, slots: Slots): Place {
  return { ok: true, path, shown: slotForm(path, slots) ?? given };
}

/** `$NAME/rest` by the slot that lies nearest; null for a path in no slot. */
export function slotForm(path: string, slots: Slots): string | null {
  const found = slotHolding(path, slots);
  return found === null ? null : `$${found.name}${path.slice(found.root === '/' ? 0 : found.root.length)}`;
}

/** The innermost slot that is the path or lies above it. */
function slotHolding(path: string, slots: Slots): { readonly name: string; readonly root: string } | null {
  let best: { name: string; root: string } | null = null;
  for (const [name, root] of Object.entries(slots)) {
    if (isWithin(path, root) && root.length > (best?.root.length ?? 0)) best = { name, root };
  }
  return best;
}

/** Whether an absolute, normalised path is `root` or lies below it. */
export function isWithin(path: string, root: string): boolean {
  return root !== '' && (path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`));
}

function advice(slots: Slots): string {
  const names = Object.keys(slots).map((name) => `$${name}`);
  return `A path is relative to $PWD, absolute, or starts with one of ${names.join(', ')}.`;
}
