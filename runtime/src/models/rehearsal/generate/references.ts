import { isObject, own, type JsonObject } from '../../json.js';

/** Finds what a `$ref` inside one schema document means. Nothing is ever fetched. */
export interface References {
  /** The schema that `reference`, written in `node`, points at; undefined when the document holds no such place. */
  follow(reference: string, node: JsonObject): unknown;
}

const ROOT = 'schema://root/';

/** Reads every `$id` and anchor of the document once, so that references are answered from a table. */
export function referencesOf(document: unknown): References {
  const bases = new WeakMap<JsonObject, string>();
  const resources = new Map<string, unknown>([[ROOT, document]]);
  const anchors = new Map<string, JsonObject>();

  function visit(value: unknown, base: string): void {
    if (Array.isArray(value)) for (const item of value) visit(item, base);
    if (!isObject(value) || bases.has(value)) return;
    const here = resolved(own(value, '$id'), base) ?? base;
    bases.set(value, here);
    if (here !== base) resources.set(here, value);
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const anchor = own(value, key);
      if (typeof anchor === 'string') anchors.set(`${here}#${anchor}`, value);
    }
    for (const item of Object.values(value)) visit(item, here);
  }
  visit(document, ROOT);

  return {
    follow(reference, node) {
      const target = resolved(reference, bases.get(node) ?? ROOT, true);
      if (target === undefined) return undefined;
      const hash = target.indexOf('#');
      const address = hash === -1 ? target : target.slice(0, hash);
      const fragment = hash === -1 ? '' : target.slice(hash + 1);
      if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(`${address}#${fragment}`);
      return pointed(resources.get(address), fragment);
    },
  };
}

function resolved(reference: unknown, base: string, keepFragment = false): string | undefined {
  if (typeof reference !== 'string' || !URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base).href;
  return keepFragment ? url : url.replace(/#.*$/, '');
}

function pointed(start: unknown, pointer: string): unknown {
  let value = start;
  for (const part of pointer.split('/').slice(1)) {
    const key = unescaped(part);
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value)) value = own(value, key);
    else return undefined;
  }
  return value;
}

/** Percent signs first, as a URI is read, then the pointer's own escapes. */
function unescaped(part: string): string {
  return decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
