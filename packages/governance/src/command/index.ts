/**
 * From the text of a call to the commands it would run, and whether a rule fits one of them (V-3):
 * `loadShellReader().read(text, { guess: true })`, then `readCommands({ text, read })`, then `matchCommands(reading, matcher)` for each rule.
 * A match that is `perhaps`, and a reading with something unread and no match at all, are decided one step stricter.
 */
export { readCommands } from './reading.js';
export type { CommandReading, SimpleCommand, UnreadPart } from './reading.js';
export { matchCommands } from './match.js';
