import { extname } from 'node:path';
import type { ContainerView, HookView, RunView, StageView } from '@gated-flow/record';
import type { RunState } from '../record/run-state.js';
import { cost, counted, duration, tokens } from './figures.js';
import { nextCommands } from './next-commands.js';
import { nameOf } from './pick-stage.js';
import { stageRow } from './stage-row.js';
import { checkTitle } from './said.js';

/** Reads one line of a capture, by its path in the run. */
export type SaidLine = (capture: string) => Promise<string>;

export interface Shown {
  /** The name to say in the commands at the end. */
  readonly run: string;
  readonly state: RunState;
  readonly said: SaidLine;
}

const MARKS = { ended: '✗', running: '▸', carried: '=', reused: '=' } as const;

/** A run for people, piece by piece: one line a stage, below it what its checks said. Neither redacted nor escaped yet. */
export async function* showText(view: RunView, shown: Shown): AsyncGenerator<string> {
  yield `${headLine(view)}   run ${view.run}\n`;
  const widest = Math.min(48, Math.max(8, ...view.stages.map((stage) => titleOf(stage).length)));
  for (const stage of view.stages) {
    yield stageLine(stage, widest);
    yield* detailLines(stage, shown.said);
  }
  for (const container of view.containers) yield containerLine(container);
  yield `\n${endingText(view, shown)}`;
}

function headLine(view: RunView): string {
  const first = view.stages.find(({ models }) => models.length > 0);
  const from = first?.options['model']?.from;
  const model =
    first === undefined || view.model_source !== 'provider'
      ? view.model_source
      : `${first.models[0] ?? ''}${from === undefined ? '' : ` (from ${from})`}`;
  return [view.flow === '' ? 'assembly' : view.flow, counted(view.stages.length, 'stage'), model].join(' · ');
}

export function titleOf({ stage, repeat }: StageView): string {
  return repeat === undefined ? stage : `${stage} (${repeat})`;
}

export function stageLine(stage: StageView, widest: number): string {
  const passed = stage.ending?.cause === 'success' && stage.state === 'ended';
  return stageRow(
    {
      mark: passed ? '✓' : MARKS[stage.state],
      title: titleOf(stage),
      rounds: counted(stage.rounds.length, 'round'),
      ms: stage.ms,
      usage: stage.usage.turns === 0 ? null : stage.usage,
      result: resultOf(stage),
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

async function* detailLines(stage: StageView, said: SaidLine): AsyncGenerator<string> {
  for (const { round, checks } of stage.rounds) {
    for (const check of checks) {
      if (!check.passed) yield detail(`round ${round}`, checkTitle(check), await said(check.capture));
    }
  }
  for (const hook of stage.hooks)
    if (!hook.passed) yield detail(`${hook.hook} hook`, hook.file, `${exitOf(hook)}   ${await said(hook.capture)}`);
  for (const { file, expected, found } of stage.drift)
    yield detail('changed', file, `was ${expected.slice(0, 12)}, is ${found.slice(0, 12)}`);
  if (stage.teardown !== undefined) yield detail('scratch', 'not removed', stage.teardown);
  for (const flag of stage.flags) yield `     ${FLAGS[flag]}\n`;
}

/** What a reader should look at twice (R-5). */
export const FLAGS = {
  'passed-on-last-round': 'passed on the last possible round',
  'feedback-repeated': 'the same feedback came back unchanged',
} as const;

function detail(where: string, who: string, what: string): string {
  return `     ${[where, who, what].join('   ').trimEnd()}\n`;
}

export function exitOf({ exit, overflow }: Pick<HookView, 'exit' | 'overflow'>): string {
  if (overflow === true) return 'too much output';
  return exit === null ? 'killed' : `exit ${exit}`;
}

function containerLine(container: ContainerView): string {
  const place = `${container.stage}${container.repeat === undefined ? '' : ` (${container.repeat})`}`;
  switch (container.type) {
    case 'CHOOSE':
      return ` ◇ ${place}   chose ${container.chose} over ${container.declined.join(', ')}   ${container.reason}\n`;
    case 'LOOP':
      return (
        ` ◇ ${place}   ${counted(container.repeats, 'repeat')}, ended by ${container.ended_by}   ${container.reason ?? ''}`.trimEnd() + '\n'
      );
    case 'PARALLEL':
      return ` ◇ ${place}   ${counted(Object.keys(container.branches).length, 'branch', 'branches')}, ${container.concurrent} at once\n`;
    case 'FANOUT':
      return ` ◇ ${place}   ${counted(container.items, 'item')}, ${container.concurrent} at once   ${container.cause}\n`;
  }
}

function endingText(view: RunView, { run, state }: Shown): string {
  const { usage, ending } = view;
  const figures = [duration(view.ms), `${tokens(usage.input)} in ${tokens(usage.output)} out`, cost(usage.cost_usd)];
  if (usage.unpriced > 0 && usage.cost_usd !== null) figures.push(`${counted(usage.unpriced, 'turn')} without a price`);
  const at = ending?.stage === undefined ? '' : ` at ${ending.stage}`;
  const lines = [`${state}${at} · ${figures.join(' · ')}`];
  if (ending?.reason !== undefined) lines.push(`  ${ending.reason.trimEnd().replaceAll('\n', '\n  ')}`);
  if (state === 'crashed') lines.push('  The record has no end, and the process that wrote it is gone.');
  return `${lines.join('\n')}\n${nextCommands(followUps({ run, state }, ending))}`;
}

function followUps({ run, state }: Pick<Shown, 'run' | 'state'>, ending: RunView['ending']): (readonly [string, string])[] {
  return [
    ...(state === 'running' ? [[`flow events ${run} --follow`, 'what happens as it happens'] as const] : []),
    ...(ending?.stage === undefined ? [] : [[`flow show ${run} ${ending.stage}`, 'that stage, round by round'] as const]),
    ...(state === 'success' ? [[`flow output ${run}`, 'the output'] as const] : []),
    ...(ending === null ? [] : [[`flow verify ${run}`, 'prove that nothing was changed since'] as const]),
  ];
}
