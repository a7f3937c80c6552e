import { cost, duration, tokens } from './figures.js';

/** A stage in a line: for a run that goes on and for one that is read later alike. */
export interface StageRow {
  /** One character. */
  readonly mark: string;
  readonly title: string;
  readonly rounds: string;
  /** Null when nobody knows. */
  readonly ms: number | null;
  /** Null where no model was asked. */
  readonly usage: { readonly input: number | null; readonly output: number | null; readonly cost_usd: number | null } | null;
  readonly result: string;
}

/** Ends with a line feed. `widest`: columns of the longest title. Neither redacted nor escaped. */
export function stageRow({ mark, title, rounds, ms, usage, result }: StageRow, widest: number): string {
  const used =
    usage === null
      ? ''
      : `${tokens(usage.input).padStart(5)} in ${tokens(usage.output).padStart(5)} out  ${cost(usage.cost_usd).padStart(6)}`;
  const cells = [title.padEnd(widest), rounds.padEnd(8), (ms === null ? '' : duration(ms)).padStart(8), used.padEnd(26), result];
  return ` ${mark} ${cells.join('  ').trimEnd()}\n`;
}
