/** A stage in a line, and the lines below it that say what went wrong on the way. */
import { extname } from 'node:path';
import type { HookView, StageView } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { roundTitle } from './figures.js';
import { nameOf } from './pick-stage.js';
import { stageRow } from './stage-row.js';
import { checkTitle } from './said.js';

/** Reads one line of a capture, by its path in the run. */
export type SaidLine = (capture: string) => Promise<string>;

const MARKS = { ended: '✗', running: '▸', carried: '=', reused: '=' } as const;

export interface StageLine {
  readonly title: string;
  /** Columns of the longest title. */
  readonly widest: number;
  /** Instead of its output's name: what it selected. */
  readonly result?: string;
}

export function stageLine(stage: StageView, { title, widest, result }: StageLine): string {
  const passed = stage.ending?.cause === 'success' && stage.state === 'ended';
  return stageRow(
    {
      mark: passed ? '✓' : MARKS[stage.state],
      title,
      rounds: counted(stage.rounds.filter(({ round }) => round > 0).length, 'round'),
      ms: stage.ms,
      usage: stage.usage.turns === 0 ? null : stage.usage,
      result: result ?? resultOf(stage),
    },
    widest,
  );
}

function resultOf({ stage, state, ending, from }: StageView): string {
  if (state === 'running') return 'not ended';
  if (state !== 'ended') return `${state} from ${from ?? 'another run'}`;
  if (ending?.sealed === true && ending.output !== undefined) return `${nameOf(stage)}${extname(ending.output.path)}`;
  return ending?.cause ?? '';
}

/** What failed rounds and hooks said, and what a reader should look at twice. `depth`: how deep the stage stands in the tree. */
export async function* detailLines(stage: StageView, depth: number, said: SaidLine): AsyncGenerator<string> {
  const indent = ' '.repeat(5 + 2 * depth);
  const detail = (where: string, who: string, what: string): string => `${indent}${[where, who, what].join('   ').trimEnd()}\n`;
  for (const { round, checks } of stage.rounds) {
    for (const check of checks) {
      if (!check.passed) yield detail(roundTitle(round), checkTitle(check), await said(check.capture));
    }
  }
  for (const hook of stage.hooks)
    if (!hook.passed) yield detail(`${hook.hook} hook`, hook.file, `${exitOf(hook)}   ${await said(hook.capture)}`);
  for (const { file, expected, found } of stage.drift)
    yield detail('changed', file, `was ${expected.slice(0, 12)}, is ${found.slice(0, 12)}`);
  if (stage.teardown !== undefined) yield detail('scratch', 'not removed', stage.teardown);
  for (const flag of stage.flags) yield `${indent}${FLAGS[flag]}\n`;
}

/** What a reader should look at twice. */
export const FLAGS = {
  'passed-on-last-round': 'passed on the last possible round',
  'feedback-repeated': 'the same feedback came back unchanged',
} as const;

export function exitOf({ exit, overflow }: Pick<HookView, 'exit' | 'overflow'>): string {
  if (overflow === true) return 'too much output';
  return exit === null ? 'killed' : `exit ${exit}`;
}

export function titleOf({ stage, repeat }: Pick<StageView, 'stage' | 'repeat'>): string {
  return repeat === undefined ? stage : `${stage} (${repeat})`;
}
