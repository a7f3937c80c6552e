import { wellFormed } from '@gated-flow/text';

/** JSON in ASCII alone, so that every hook runner can encode it (V-11). A lone surrogate becomes U+FFFD; a value without a form is null. */
export function asciiJson(value: unknown): string {
  return ascii(JSON.stringify(wellFormedValue(value)) ?? 'null');
}

/** The same value with every lone surrogate in its texts and keys replaced by U+FFFD (V-11). */
export function wellFormedValue(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormed(key), wellFormedValue(inner)]));
}

/** A text for a hook's error output: printable ASCII on lines, everything else as an escape (V-11). */
export function asciiText(text: string): string {
  return ascii(wellFormed(text)).replace(/[^\n -~]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function ascii(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
