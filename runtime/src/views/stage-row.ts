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

/** What the result should have, in columns. */
const RESULT = 14;
/** The mark, the rounds, the time and the result, with what is between them. */
const WITHOUT_USAGE = 3 + 10 + 10 + 2 + RESULT;
const USAGE = 28;
/** The mark, the time and a short result: what a narrow terminal still has room for. */
const NARROWEST = 3 + 10 + 2 + 11;

/**
 * Ends with a line feed. `widest`: columns of the longest title. Where it would be wider than `columns`, what was used goes first,
 * then the rounds, then a part of the title and of the result. Neither redacted nor escaped.
 */
export function stageRow({ mark, title, rounds, ms, usage, result }: StageRow, widest: number, columns = Infinity): string {
  const used =
    usage === null
      ? ''
      : `${tokens(usage.input).padStart(5)} in ${tokens(usage.output).padStart(5)} out  ${cost(usage.cost_usd).padStart(6)}`;
  const narrow = widest + WITHOUT_USAGE > columns;
  const room = narrow ? Math.max(LEAST_TITLE, Math.min(widest, columns - NARROWEST)) : widest;
  const cells = [
    shortened(title, narrow ? room : Infinity).padEnd(room),
    ...(narrow ? [] : [rounds.padEnd(8)]),
    (ms === null ? '' : duration(ms)).padStart(8),
    ...(widest + WITHOUT_USAGE + USAGE > columns ? [] : [used.padEnd(26)]),
  ];
  const row = ` ${mark} ${cells.join('  ')}  `;
  return `${row}${shortened(result, Math.max(LEAST_RESULT, columns - row.length))}`.trimEnd() + '\n';
}

const LEAST_TITLE = 10;
const LEAST_RESULT = 9;

/** The last name of a path says more than the first; of a name, the beginning. */
function shortened(title: string, room: number): string {
  if (title.length <= room) return title;
  const slash = title.lastIndexOf('/');
  const name = slash === -1 ? title : `…${title.slice(slash)}`;
  return name.length <= room ? name : `${name.slice(0, room - 1)}…`;
}
