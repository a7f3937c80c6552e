const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Surrogate}]/gu;
const LINE_CONTROLS = /[\n\t]/g;

/**
 * Text that can go to a terminal: control characters other than line feed and tab, bidi controls, line separators and
 * lone surrogates appear as `\x1b` or `\u202e`.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** The same for something that must stay on one line, such as a file name: line feed and tab are escaped too. */
export function escapeName(name: string): string {
  return escapeControls(name).replace(LINE_CONTROLS, escaped);
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
