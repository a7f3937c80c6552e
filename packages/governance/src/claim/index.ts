/** Claims of an output, what supports them (V-9), and the sources that are cited for them (V-8). */
export { readClaims } from './read.js';
export type { ClaimReading, ClaimText, UnsupportedClaim, Where } from './read.js';
export type { Evidence } from './evidence.js';
export { claimMessage } from './message.js';
export { citedMessage, numberCite, readCite } from './cite.js';
export type { Cite, CiteResult, NumberedCite } from './cite.js';
