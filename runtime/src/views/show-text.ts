import type { RunView, TreeNode } from '@gated-flow/record';
import { runTree } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { FROM_FILES, ranOnGiven } from '../given/place.js';
import { childOf, childWord, usageOf } from '../record/child-run.js';
import type { OpenRun } from '../record/find-run.js';
import type { RunState } from '../record/run-state.js';
import { sandboxPhrase } from '../sandbox/wish.js';
import { duration } from './figures.js';
import { nextCommands } from './next-commands.js';
import { leaveLines } from './leave-lines.js';
import { pendingCommands } from './pending.js';
import { resumeHint } from './resume-hint.js';
import { type TreeTelling, treeText, usageFigures, widestTitle } from './tree-text.js';

export interface Shown extends Omit<TreeTelling, 'widest'> {
  readonly run: OpenRun;
  readonly state: RunState;
}

/** A run for people, piece by piece: the tree of its stages, then how it ended. Neither redacted nor escaped yet. */
export async function* showText(view: RunView, shown: Shown): AsyncGenerator<string> {
  yield `${headLine(view)}   ${view.child === undefined ? 'run' : 'a child run of'} ${view.run}${originOf(view)}\n`;
  const nodes = runTree(view);
  yield* treeText(nodes, { run: shown.run, depth: 0, telling: { ...shown, widest: widestTitle(nodes) } });
  yield `\n${endingText(view, shown)}`;
}

/** A part of a run: a container with all that stands in it. */
export function partText(node: TreeNode, shown: Omit<Shown, 'state'>): AsyncGenerator<string> {
  return treeText([node], { run: shown.run, depth: 0, telling: { ...shown, widest: widestTitle([node]) } });
}

function originOf(view: RunView): string {
  const { continued_from, model_source } = view;
  if (ranOnGiven(view)) return `, one stage on ${view.asked?.given === FROM_FILES ? 'given files' : `what ${view.asked?.given} gave it`}`;
  if (continued_from === undefined) return '';
  return `, ${model_source === 'replay' ? 'a replay of' : 'resumes'} ${continued_from}`;
}

function headLine(view: RunView): string {
  const first = view.stages.find(({ models }) => models.length > 0);
  const from = first?.options['model']?.from;
  const model =
    first === undefined || view.model_source !== 'provider'
      ? view.model_source
      : `${first.models[0] ?? ''}${from === undefined ? '' : ` (from ${from})`}`;
  const sandbox = view.sandbox === undefined ? [] : [sandboxPhrase(view.sandbox)];
  return [view.flow === '' ? 'assembly' : view.flow, counted(view.stages.length, 'stage'), model, ...sandbox].join(' · ');
}

function endingText(view: RunView, shown: Shown): string {
  const { state, tallies, run } = shown;
  const { ending } = view;
  const children = [...tallies].filter(([folder]) => isChildOf(run.folder, folder)).map(([, tally]) => tally);
  const runs = children.reduce((sum, child) => sum + child.runs, 0);
  const broken = children.reduce((sum, child) => sum + child.broken, 0);
  const figures = [duration(view.ms), ...usageFigures(view, usageOf(view, children), runs)];
  const at = ending?.stage === undefined ? '' : ` at ${ending.stage}`;
  const lines = [`${state}${at} · ${figures.join(' · ')}`];
  if (ending?.reason !== undefined) lines.push(`  ${ending.reason.trimEnd().replaceAll('\n', '\n  ')}`);
  lines.push(...leaveLines(view).map((line) => `  ${line}`));
  if (broken > 0) lines.push(`  ${BROKEN(broken)}`);
  if (state === 'crashed') lines.push('  The record has no end, and the process that wrote it is gone.');
  return `${lines.join('\n')}\n${nextCommands(followUps(view, shown))}`;
}

const BROKEN = (count: number): string =>
  count === 1
    ? '1 child run has no whole record here: what it did and used may be missing above.'
    : `${count} child runs have no whole record here: what they did and used may be missing above.`;

/** Whether one folder is a child of the other, and not one of its children's. */
function isChildOf(caller: string, folder: string): boolean {
  return folder.startsWith(`${caller}/`) && !/\/subflows\/\d+\/stages\//.test(folder.slice(caller.length));
}

/** What leave is missing, or else what could be carried. */
function goingOn(view: RunView, word: string): readonly (readonly [string, string])[] {
  const pending = pendingCommands(view, word);
  return pending.length > 0 ? pending : resumeHint(view, { run: word, failing: view.ending?.stage ?? null });
}

function followUps(view: RunView, { run, state, tallies }: Shown): (readonly [string, string])[] {
  const { ending, subflows } = view;
  const { word, within } = run;
  const at = (place: string): string => [word, [...within, place].join('/')].join(' ');
  const itself = within.length === 0 ? word : `${word} ${within.join('/')}`;
  const failing = subflows.find((call) => tallies.get(childOf(run, call).folder)?.success === false);
  const child = failing ?? subflows[0];
  const stage = ending?.stage;
  return [
    ...(state === 'running' ? [[`flow events ${word} --follow`, 'what happens as it happens'] as const] : []),
    ...(stage === undefined || stage === child?.stage ? [] : [[`flow show ${at(stage)}`, 'that stage, round by round'] as const]),
    ...(child === undefined
      ? []
      : [[`flow show ${at(childWord(child))}`, failing === undefined ? 'a child run' : 'that child run'] as const]),
    ...(state === 'running' || within.length > 0 ? [] : goingOn(view, word)),
    ...(state === 'success' ? [[`flow output ${itself}`, 'the output'] as const] : []),
    ...(ending === null ? [] : [[`flow verify ${word}`, 'prove that nothing was changed since'] as const]),
  ];
}
