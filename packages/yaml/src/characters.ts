import type { YamlFault } from './faults.js';

const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\p{Surrogate}]|\r(?!\n)/u;
const BYTE_ORDER_MARK = '\ufeff';

/** The first character that a YAML 1.2 text may not contain, as a fault; a byte-order mark at the start is one. */
export function characterFault(text: string): YamlFault | undefined {
  if (text.startsWith(BYTE_ORDER_MARK))
    return { message: 'The text begins with a byte-order mark. Save it without one.', line: 1, column: 1 };
  const found = FORBIDDEN.exec(text);
  if (!found) return undefined;
  const before = text.slice(0, found.index).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return { message: `The character ${codePoint(found[0])} is not allowed in YAML.`, line: before.length, column };
}

function codePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
