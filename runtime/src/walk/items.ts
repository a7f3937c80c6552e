/** Reads the list that a FANOUT works through (G-6). Pure. */
import type { Fanout } from '@gated-flow/assembly';
import { compareBytes, escapeName } from '@gated-flow/text';
import { type Node, parseTree } from 'jsonc-parser';
import type { ItemRun } from './walk.js';

export type Items = { readonly ok: true; readonly items: readonly ItemRun[] } | { readonly ok: false; readonly reason: string };

const ID = /^[a-z0-9][a-z0-9_-]{0,127}$/;

/**
 * The items of a JSON text sorted by id, or a sentence that names the first thing that is wrong. An input is taken over as it is
 * written: a number keeps all of its digits.
 */
export function readItems(text: string, { items: key, maxItems }: Pick<Fanout, 'items' | 'maxItems'>): Items {
  const list = listOf(text, key);
  if (list === null) return wrong(`"${key}" is no list at the top of it.`);
  if (list.length === 0) return wrong(`"${key}" is empty.`);
  if (list.length > maxItems) return wrong(`"${key}" has ${list.length} items, more than max-items, which is ${maxItems}.`);
  const inputs = new Map<string, string>();
  for (const [index, entry] of list.entries()) {
    const at = `/${key}/${index}`;
    const [id, input] = [valueOf(entry, 'id'), valueOf(entry, 'input')];
    if (!id || !input) return wrong(`${at} must be an object with "id" and "input".`);
    const name: unknown = id.value;
    if (typeof name !== 'string' || !ID.test(name))
      return wrong(`${at}/id must begin with a-z or 0-9 and consist of a-z, 0-9, _ and -, at most 128 of them.`);
    if (inputs.has(name)) return wrong(`${at}/id: "${name}" stands there twice.`);
    if (input.type !== 'object') return wrong(`${at}/input must be an object.`);
    inputs.set(name, text.slice(input.offset, input.offset + input.length));
  }
  const sorted = [...inputs].sort(([a], [b]) => compareBytes(a, b));
  return { ok: true, items: sorted.map(([id, input], index) => ({ n: index + 1, id, request: `{"id":"${id}","input":${input}}` })) };
}

function listOf(text: string, key: string): readonly Node[] | null {
  const list = isJson(text) ? valueOf(parseTree(text), key) : undefined;
  return list?.type === 'array' ? (list.children ?? []) : null;
}

/** Of a key that stands there twice the last value counts, as for JSON.parse. */
function valueOf(node: Node | undefined, key: string): Node | undefined {
  if (node?.type !== 'object') return undefined;
  const property = node.children?.findLast(({ children }) => children?.[0]?.value === key);
  return property?.children?.[1];
}

/** The tree parser forgives what JSON does not. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function wrong(what: string): Items {
  return { ok: false, reason: `The list cannot be worked through: ${escapeName(what)}` };
}
