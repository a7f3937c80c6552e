import { counted } from '@gated-flow/text';
import type { ResumePlan } from '../run/resume/plan.js';

/** What `flow resume --plan --json` prints: the plan, and nothing ran. */
export interface ResumeDocument {
  readonly kind: 'flow.resume';
  readonly version: 1;
  /** The run that would be continued. */
  readonly from: string;
  readonly workdir: string;
  readonly steps: ResumePlan['rows'];
}

export function resumeDocument({ from, workdir, rows }: ResumePlan): ResumeDocument {
  return { kind: 'flow.resume', version: 1, from, workdir, steps: rows };
}

/** The same for people: a line for each step of the root sequence. Neither redacted nor escaped yet. */
export function resumePlanText({ from, workdir, rows }: ResumePlan): string {
  const carried = rows.filter((row) => row.carried).length;
  const head =
    carried === 0 ? `Nothing of ${from} can be carried: all of it runs anew` : `Resuming ${from}: ${tally(carried, rows.length)}`;
  const widest = Math.min(48, Math.max(0, ...rows.map(({ step }) => step.length)));
  const lines = rows.map(({ step, carried: kept, why, outputs }) => {
    const cells = [step.padEnd(widest), kept ? 'carried' : 'runs   ', kept ? outputs.join(', ') : (why ?? '')];
    return ` ${kept ? '=' : '▸'} ${cells.join('   ')}`.trimEnd();
  });
  return `${[`${head}, in ${workdir}`, ...lines].join('\n')}\n`;
}

function tally(carried: number, all: number): string {
  return carried === all ? `all ${counted(all, 'step')} carried, none runs` : `${carried} of ${counted(all, 'step')} carried`;
}
