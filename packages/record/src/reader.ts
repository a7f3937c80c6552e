import { hash } from 'node:crypto';
import { FIRST_PREV } from './codec.js';
import type { RecordEvent } from './events.js';
import { createOrder } from './order.js';
import { parseLine } from './parse.js';

/** One whole line that could be read. */
export interface RecordLine {
  /** From 1. */
  readonly number: number;
  /** Without its newline. Valid until the next piece is fed: copy what is to be kept. */
  readonly bytes: Buffer;
  /** Null for an event that this version does not know. */
  readonly event: RecordEvent | null;
}

/** What is wrong with a line, and the rule it breaks. */
export interface LineFault {
  readonly line: number;
  readonly rule: 'R-2' | 'R-3' | 'R-4' | 'R-5' | 'R-6';
  readonly message: string;
}

/** How a record reads. */
export interface Reading {
  readonly state: 'valid' | 'incomplete' | 'invalid';
  /** Whole lines. */
  readonly lines: number;
  /** Whether bytes without a newline stand at the end. They are never read as an event. */
  readonly torn: boolean;
  /** Whether its first line says a later version than this program reads: it is invalid here, and not damaged. */
  readonly newer: boolean;
  /** In the order of the lines; at most `FAULTS_KEPT`. */
  readonly faults: readonly LineFault[];
  /** How many more there were. */
  readonly faultsOmitted: number;
}

/** Reads a record in pieces of any size, in memory that does not grow with it. */
export interface RecordReader {
  /** The lines that the piece completed. After a first line that is refused nothing is read any more. */
  feed(chunk: Uint8Array): RecordLine[];
  /** How everything fed so far reads; more may be fed afterwards. */
  reading(): Reading;
}

/** Of the record's format. */
const VERSION = 1;
export const FAULTS_KEPT = 100;
/** Far above what the runtime writes, and small enough to be held. */
const LINE_LIMIT = 64 * 1024 * 1024;

export function createRecordReader(): RecordReader {
  const order = createOrder();
  const faults: LineFault[] = [];
  let faultCount = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let lines = 0;
  let prev = FIRST_PREV;
  let refused = false;
  let newer = false;

  const blame = (rule: LineFault['rule'], message: string): void => {
    faultCount += 1;
    if (faults.length < FAULTS_KEPT) faults.push({ line: lines, rule, message });
  };

  const readEvent = (bytes: Buffer): RecordLine | null => {
    const value = parseJson(bytes);
    if (value === undefined) return blameNothing('R-2', 'is not JSON');
    const parsed = parseLine(value);
    if (parsed.line === 'fault') return blameNothing('R-4', parsed.message);
    const said = parsed.line === 'event' ? parsed.event.prev : parsed.prev;
    if (said !== prev)
      blame('R-2', lines === 1 ? 'does not begin a chain' : `does not follow line ${lines - 1}: one of the two was changed`);
    if (parsed.line === 'unknown') return { number: lines, bytes, event: null };
    const wrong = order.see(parsed.event);
    if (wrong !== null) blame('R-5', wrong);
    return { number: lines, bytes, event: parsed.event };
  };

  const readFirst = (bytes: Buffer): RecordLine | null => {
    refused = true;
    const value = parseJson(bytes);
    if (!isRunStart(value)) return blameNothing('R-3', 'is no run_start; a record begins with one');
    if (value.record !== VERSION) {
      newer = typeof value.record === 'number' && value.record > VERSION;
      const says = `says record version ${String(JSON.stringify(value.record))}; this program reads version ${VERSION}`;
      return blameNothing('R-6', newer ? `was written by a newer version: it ${says}` : says);
    }
    const parsed = parseLine(value);
    if (parsed.line === 'fault') return blameNothing('R-3', parsed.message);
    if (parsed.line === 'unknown') return blameNothing('R-3', 'is no run_start; a record begins with one');
    const { event } = parsed;
    refused = false;
    if (event.prev !== FIRST_PREV) blame('R-2', 'does not begin a chain');
    return { number: 1, bytes, event };
  };

  const blameNothing = (rule: LineFault['rule'], message: string): null => {
    blame(rule, message);
    return null;
  };

  const readWhole = (bytes: Buffer): RecordLine | null => {
    lines += 1;
    const line = lines === 1 ? readFirst(bytes) : readEvent(bytes);
    prev = hash('sha256', bytes);
    return line;
  };

  const keepRest = (rest: Buffer): void => {
    if (rest.length === 0) return;
    pending.push(Buffer.from(rest));
    pendingBytes += rest.length;
    if (pendingBytes <= LINE_LIMIT) return;
    lines += 1;
    blame('R-2', `is longer than ${LINE_LIMIT} bytes`);
    refused = true;
    pending = [];
    pendingBytes = 0;
  };

  return {
    feed(chunk) {
      const found: RecordLine[] = [];
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      let from = 0;
      while (!refused) {
        const at = bytes.indexOf(10, from);
        if (at === -1) break;
        const tail = bytes.subarray(from, at);
        const line = readWhole(pending.length === 0 ? tail : Buffer.concat([...pending, tail]));
        pending = [];
        pendingBytes = 0;
        from = at + 1;
        if (line !== null) found.push(line);
      }
      if (!refused) keepRest(bytes.subarray(from));
      return found;
    },
    reading() {
      const torn = pendingBytes > 0;
      const after: LineFault[] = torn && order.ended ? [{ line: lines + 1, rule: 'R-5', message: 'follows run_end' }] : [];
      const all = [...faults, ...after];
      const state = all.length > 0 ? 'invalid' : order.ended ? 'valid' : 'incomplete';
      return { state, newer, lines, torn, faults: all, faultsOmitted: faultCount - faults.length };
    },
  };
}

function isRunStart(value: unknown): value is { readonly record?: unknown } {
  return typeof value === 'object' && value !== null && 'event' in value && value.event === 'run_start';
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
