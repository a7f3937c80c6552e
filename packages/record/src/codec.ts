import { hash } from 'node:crypto';
import type { Fact } from './events.js';

/** What the first line's `prev` says: the SHA-256 of no bytes. */
export const FIRST_PREV = hash('sha256', '');

/**
 * One line of the record, without its newline: time, event and place first, the event's own fields in the order given, the chain last.
 * `ts` is RFC 3339 UTC with milliseconds; `prev` the hash of the line before.
 */
export function encodeLine(fact: Fact, ts: string, prev: string): string {
  const { event, stage, repeat, retry, ...fields } = fact;
  return JSON.stringify({ ts, event, stage, repeat, retry, ...fields, prev });
}

/** Lower-case hex SHA-256 of a line's bytes, its newline left out. */
export function hashLine(line: string | Uint8Array): string {
  return hash('sha256', line);
}
