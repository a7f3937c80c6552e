import { randomBytes, randomUUID } from 'node:crypto';
import type { RunIdentity } from '../report/report.js';

/** A UUID v4 and the time now. */
export function newIdentity(): RunIdentity {
  return { runId: randomUUID(), timestamp: new Date().toISOString() };
}

/** 128 random bits in letters and digits. */
export function newBoundary(): string {
  return `data-${randomBytes(16).toString('hex')}`;
}
