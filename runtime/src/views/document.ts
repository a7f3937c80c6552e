import type { Redactor } from '@gated-flow/text';

const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** JSON text in which nothing can steer a terminal: what JSON itself leaves unescaped is written as `\u202e`. The value stays the same. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One versioned document as it is printed (I-2): redacted, indented, ended by a newline. */
export function documentText(document: object, redactor: Redactor): string {
  return `${safeJson(JSON.stringify(redactor.json(document), null, 2))}\n`;
}
