export { boundedView, headTail } from './view.js';
export { cutText } from './cut.js';
export { escapeControls, escapeName } from './escape.js';
export { compareBytes, isUtf8, wellFormed } from './utf8.js';
export { createRedactor } from './redact.js';
export type { Redactor } from './redact.js';
export { nameMatches, secretValues } from './secrets.js';
