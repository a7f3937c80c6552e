import { characterFault } from './characters.js';
import { readDocument, type DocumentResult, type ReadOptions } from './document.js';
import type { YamlFault } from './faults.js';

export type YamlResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly faults: readonly YamlFault[] };

/** Longer texts are refused, so that a hostile one cannot hold the program up. In UTF-16 units. */
const MAX_LENGTH = 1024 * 1024;

/**
 * One whole YAML 1.2 document of the core schema, strictly: duplicate keys, anchors, aliases, tags, directives, more than one
 * document, a byte-order mark, control characters, nesting deeper than 100 and more than 1 MiB are faults. Dates stay
 * strings, `<<` is an ordinary key, `__proto__` an own property. The order of keys is kept, but for keys that look like
 * array indexes. Nothing is ever executed. An empty text is `null`.
 */
export function parseYaml(text: string): YamlResult {
  const document = parseDocument(text);
  return document.ok ? { ok: true, value: document.value } : document;
}

/** Like `parseYaml`, and says where the keys of the outermost mapping and every node stand. */
export function parseDocument(text: string, options?: ReadOptions): DocumentResult {
  if (text.length > MAX_LENGTH) return refused({ message: 'The YAML text is longer than 1 MiB.', line: 1, column: 1 });
  const fault = characterFault(text);
  return fault ? refused(fault) : readDocument(text, options);
}

function refused(fault: YamlFault): { readonly ok: false; readonly faults: readonly YamlFault[] } {
  return { ok: false, faults: [fault] };
}
