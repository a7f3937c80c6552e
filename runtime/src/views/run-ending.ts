import type { RunView, StageView } from '@gated-flow/record';
import type { RunOutcome } from '../run/finish.js';
import { nextCommands } from './next-commands.js';
import { indent } from './indent.js';
import { resumeHint } from './resume-hint.js';

/** The last lines of a run that did not succeed: cause, stage, what failed, why, and the commands that show more (E-4). Not yet safe for a terminal. */
export function failureText({ ending, stage, run }: RunOutcome, view: RunView): string {
  const failing = view.stages.findLast((one) => one.stage === stage);
  const at = stage === null ? '' : ` at ${stage}`;
  const head = `${ending.cause}${at}: ${headline(ending.cause, ending.failed, failing)}\n`;
  const reason = ending.reason === undefined ? '' : `${indent(ending.reason.replace(/\n+$/, ''), 2)}\n`;
  return head + reason + nextCommands([...followUps(run, failing), ...resumeHint(view, { run, failing: stage })]) + rehearsalHint(view, failing);
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
  const rounds = stage?.rounds ?? [];
  const same = rounds.every(({ checks }) => checks.some(({ passed, file, check }) => !passed && (file ?? check) === failed));
  if (rounds.length === 1) return 'in the only round';
  const number = WORDS[rounds.length] ?? String(rounds.length);
  return same ? `in all ${number} rounds` : `in the last of ${number} rounds`;
}

function followUps(run: string, failing: StageView | undefined): (readonly [string, string])[] {
  if (!failing) return [[`flow show ${run}`, 'what happened, stage by stage']];
  const { stage, rounds, ending } = failing;
  return [
    [`flow show ${run} ${stage}`, 'what happened, round by round'],
    ...(rounds.length > 0 ? [[`flow session ${run} ${stage}`, 'what the agent was told and did'] as const] : []),
    ...(ending?.output === undefined ? [] : [[`flow output ${run} ${stage} --withheld`, 'the output that did not pass'] as const]),
  ];
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
