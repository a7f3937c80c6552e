/** One note of the index in the home: which run sealed the work of a shape (G-12). The note proves nothing; the run's record does. */
import { join } from 'node:path';
import { staysInside } from '@gated-flow/record';
import { isRunName } from '../../record/run-place.js';

export interface ReuseEntry {
  readonly run: string;
  /** Where the child run stands in the run's folder; null for the run itself. */
  readonly child: string | null;
  readonly stage: string;
  readonly repeat: number | null;
  /** Of the sealed output. */
  readonly sha256: string;
}

export function entryPath(home: string, shape: string): string {
  return join(home, 'reuse', shape);
}

export function entryText({ run, child, stage, repeat, sha256 }: ReuseEntry): string {
  return `${JSON.stringify({ run, child, stage, repeat, sha256 })}\n`;
}

/** Null when the text is no such note. */
export function parseEntry(text: string): ReuseEntry | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return null;
  if (!('run' in value && 'child' in value && 'stage' in value && 'repeat' in value && 'sha256' in value)) return null;
  const { run, child, stage, repeat, sha256 } = value;
  if (typeof run !== 'string' || !isRunName(run) || typeof stage !== 'string' || typeof sha256 !== 'string') return null;
  if (child !== null && (typeof child !== 'string' || !staysInside(child))) return null;
  if (repeat !== null && typeof repeat !== 'number') return null;
  return { run, child, stage, repeat, sha256 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
