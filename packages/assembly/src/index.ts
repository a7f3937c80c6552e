export type * from './snapshot.js';
export type * from './tree.js';
export { REFUSAL_CODES } from './refusals.js';
export type { Refusal, RefusalCode } from './refusals.js';
