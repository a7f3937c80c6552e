import { escapeName } from '@gated-flow/text';
import type { RunState } from '../record/run-state.js';
import { duration } from './figures.js';

/** A run in the list: what the two ends of its record say. */
export interface ListRow {
  readonly run: string;
  /** `unreadable` when the record's first line is none, or may not be read. */
  readonly state: RunState | 'unreadable';
  readonly folder: string;
  readonly flow?: string;
  readonly assembly?: string;
  readonly started?: string;
  /** From the first event to the last. */
  readonly ms?: number;
  readonly model_source?: string;
  readonly exit?: number;
  readonly stage?: string;
  readonly reason?: string;
}

/** One line a run, whatever its fields hold. Not redacted yet. */
export function listText(rows: readonly ListRow[]): string {
  const widest = Math.max(0, ...rows.map(({ state }) => state.length));
  const flowWidth = Math.min(40, Math.max(0, ...rows.map(({ flow }) => (flow ?? '').length)));
  return rows.map((row) => `${escapeName(lineOf(row, widest, flowWidth))}\n`).join('');
}

function lineOf({ run, state, flow, ms, stage, assembly }: ListRow, widest: number, flowWidth: number): string {
  const cells = [run, state.padEnd(widest), (flow ?? '').padEnd(flowWidth), (ms === undefined ? '' : duration(ms)).padStart(9)];
  return [...cells, stage === undefined ? (assembly ?? '') : `at ${stage}`].join('   ').trimEnd();
}
