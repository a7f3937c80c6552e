import type { RunView } from '@gated-flow/record';
import type { RunOutcome } from '../run/finish.js';

/** The last lines of a run that did not succeed: cause, stage, what failed, why, and the commands that show more (E-4). Not yet safe for a terminal. */
export function failureText({ ending, stage, run }: RunOutcome, view: RunView): string {
  const rounds = view.stages.findLast((one) => one.stage === stage)?.rounds.length ?? 0;
  const at = stage === null ? '' : ` at ${stage}`;
  const lines = [`${ending.cause}${at}: ${headline(ending.cause, ending.failed, rounds)}`];
  if (ending.reason !== undefined) lines.push(indent(ending.reason));
  const show = stage === null ? `flow show ${run}` : `flow show ${run} ${stage}`;
  lines.push(command(show, 'what happened, round by round'));
  if (stage !== null && rounds > 0) lines.push(command(`flow session ${run} ${stage}`, 'what the agent was told and did'));
  if (view.stages.some((one) => one.stage === stage && one.ending?.output !== undefined)) {
    lines.push(command(`flow output ${run} ${stage ?? ''} --withheld`, 'the output that did not pass'));
  }
  return `${lines.join('\n')}\n`;
}

function headline(cause: string, failed: string | undefined, rounds: number): string {
  switch (cause) {
    case 'exhausted':
      return `${failed ?? 'a check'} said no in ${rounds === 1 ? 'the only round' : `the last of ${rounds} rounds`}.`;
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
      return failed === undefined ? 'something is broken.' : `${failed} is broken.`;
  }
}

/** The last lines of a run that did. */
export function successText({ run, folder }: RunOutcome, view: RunView): string {
  const unjudged = view.model_source === 'rehearsal' ? ['A rehearsal: no model wrote or judged anything.'] : [];
  return `${[
    ...unjudged,
    `sealed in ${folder}`,
    command(`flow show ${run}`, 'what happened, round by round'),
    command(`flow verify ${run}`, 'prove that nothing was changed since'),
    command(`flow output ${run}`, 'the output again'),
  ].join('\n')}\n`;
}

function command(line: string, does: string): string {
  return `  ${line.padEnd(48)}  ${does}`;
}

function indent(text: string): string {
  return text
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
