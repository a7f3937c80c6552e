export { CAUSES } from './events.js';
export type * from './events.js';
export type * from './session.js';
