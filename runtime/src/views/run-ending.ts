import type { RunView, StageView, SubflowView } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { childWord } from '../record/child-run.js';
import type { RunOutcome } from '../run/finish.js';
import { nextCommands } from './next-commands.js';
import { pendingCommands } from './pending.js';
import { indent } from './indent.js';
import { resumeHint } from './resume-hint.js';

/** The last lines of a run that did not succeed: cause, stage, what failed, why, and the commands that show more (E-4). Not yet safe for a terminal. */
export function failureText({ ending, stage, run }: RunOutcome, view: RunView, folderOf: (stage: string) => string | null): string {
  const failing = view.stages.findLast((one) => one.stage === stage);
  const pending = pendingCommands(view, run);
  const at = stage === null ? '' : ` at ${stage}`;
  const children = view.subflows.filter((call) => call.stage === stage && call.ending !== null && call.ending.cause !== 'success');
  const what =
    pending.length > 0
      ? 'a call needs leave that nobody gave.'
      : failing
        ? headline(ending.cause, ending.failed, failing)
        : containerHeadline(ending, stage, { view, children });
  const head = `${ending.cause}${at}: ${what}\n`;
  const reason = ending.reason === undefined ? '' : `${indent(ending.reason.replace(/\n+$/, ''), 2)}\n`;
  return (
    head +
    reason +
    nextCommands([
      ...(failing ? [...followUps(run, failing), ...gateHint(failing, folderOf)] : containerFollowUps(run, stage, children)),
      ...(pending.length > 0 ? pending : resumeHint(view, { run, failing: stage })),
    ]) +
    rehearsalHint(view, failing)
  );
}

/** What ended a run in a container: a fan-out's children, a loop that ran out. */
function containerHeadline(
  { cause, failed }: RunOutcome['ending'],
  stage: string | null,
  { view, children }: { readonly view: RunView; readonly children: readonly SubflowView[] },
): string {
  const [first] = children;
  const container = view.containers.findLast((one) => one.stage === stage);
  if (first && container?.type === 'FANOUT') {
    const names = children.slice(0, 5).map(({ item, n }) => item ?? String(n));
    const more = children.length > names.length ? ` and ${children.length - names.length} more` : '';
    return `${children.length} of ${counted(container.items, 'item')} did not succeed: ${names.join(', ')}${more}.`;
  }
  if (cause === 'rejected' && container?.type === 'LOOP') return `the loop ran out after ${counted(container.repeats, 'repeat')}.`;
  return cause === 'exhausted' ? 'a check said no in the last round.' : headline(cause, failed, undefined);
}

function containerFollowUps(run: string, stage: string | null, [first]: readonly SubflowView[]): (readonly [string, string])[] {
  if (first) {
    const child = `${run} ${childWord(first)}`;
    return [
      [`flow show ${child}`, 'what happened in that child run'],
      [`flow show ${run}`, 'what happened, stage by stage'],
    ];
  }
  return [[stage === null ? `flow show ${run}` : `flow show ${run} ${stage}`, 'what happened, stage by stage']];
}

function headline(cause: string, failed: string | undefined, stage: StageView | undefined): string {
  switch (cause) {
    case 'exhausted':
      return `${failed ?? 'a check'} said no ${inRounds(failed, stage)}.`;
    case 'refused':
      return 'the agent said that it cannot do this.';
    case 'rejected':
      return failed === undefined ? 'a limit or rule of the run said no.' : `${failed} said no.`;
    case 'blocked':
      return `${failed ?? 'a gate'} found something outside in the way.`;
    case 'timeout':
      return failed === undefined ? 'there was not enough time.' : `${failed} ran out of time.`;
    case 'signal':
      return 'the run was stopped from outside.';
    default:
      return failed === undefined ? 'the work could not go on.' : `${failed} is broken.`;
  }
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function inRounds(failed: string | undefined, stage: StageView | undefined): string {
  const rounds = stage?.rounds.filter(({ round }) => round > 0) ?? [];
  const same = rounds.every(({ checks }) => checks.some(({ passed, file, check }) => !passed && (file ?? check) === failed));
  if (rounds.length === 1) return 'in the only round';
  const number = WORDS[rounds.length] ?? String(rounds.length);
  if (!same) return `in the last of ${number} rounds`;
  return rounds.length === 2 ? 'in both rounds' : `in all ${number} rounds`;
}

function followUps(run: string, failing: StageView): (readonly [string, string])[] {
  const { stage, rounds, ending } = failing;
  return [
    [`flow show ${run} ${stage}`, 'what happened, round by round'],
    ...(rounds.some(({ round }) => round > 0) ? [[`flow session ${run} ${stage}`, 'what the agent was told and did'] as const] : []),
    ...(ending?.output === undefined ? [] : [[`flow output ${run} ${stage} --withheld`, 'the output that did not pass'] as const]),
  ];
}

/** Schema and gates judge files too: whoever repairs them tries them without a run. */
function gateHint({ stage, rounds, ending }: StageView, folderOf: (stage: string) => string | null): (readonly [string, string])[] {
  const judged = rounds.at(-1)?.checks.find(({ passed, check }) => !passed && (check === 'gate' || check === 'schema'));
  const folder = judged && ending?.cause === 'exhausted' ? folderOf(stage) : null;
  return judged && folder !== null ? [[`flow gate ${folder} FILE`, `try the ${judged.check} on a file of your own`]] : [];
}

/** A gate that says no to a rehearsal has seen no work, only a stand-in for it (M-6). */
function rehearsalHint({ model_source }: RunView, failing: StageView | undefined): string {
  const gated = failing?.ending?.cause === 'exhausted' && failing.ending.failed?.startsWith('gate');
  if (model_source !== 'rehearsal' || !gated) return '';
  return `A rehearsal cannot know what this gate wants: give the stage a .fixtures/pass file that its gate accepts.\n`;
}

/** The last lines of a run that did. */
export function successText({ run, folder }: RunOutcome, view: RunView): string {
  const unjudged = view.model_source === 'rehearsal' ? 'A rehearsal: no model wrote or judged anything.\n' : '';
  const next = nextCommands([
    [`flow show ${run}`, 'what happened, round by round'],
    [`flow verify ${run}`, 'prove that nothing was changed since'],
    [`flow output ${run}`, 'the output again'],
  ]);
  return `${unjudged}sealed in ${folder}\n${next}`;
}
