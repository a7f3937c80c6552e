import type { Command } from 'commander';
import { createClock } from '../io/clock.js';
import { createDisk } from '../io/disk.js';
import type { SandboxWords } from '../sandbox/wish.js';
import type { Disk } from '../ports/disk.js';
import { type Preparation, prepare } from '../plan/prepare.js';
import { documentText } from '../views/document.js';
import { checkDocument } from './check/document.js';
import { planText } from './check/text.js';
import { withWorkspaceSkills } from './check/workspace.js';
import type { Checking } from './job.js';
import type { CommandModule, Io } from './command.js';
import { addInvocationWords, readInvocation } from './invocation.js';
import { preparePorts } from './prepare-ports.js';
import { refusalText } from './refusals.js';
import { addSandboxWords, spellAlone } from './run/words.js';
import { spellSlots } from './slot-words.js';

const EXAMPLES = `
Examples:
  flow check ./review                        the plan, and what is wrong
  flow check ./review/flows/triage/02-draft  one stage of it
  flow check ./review --json --warnings-fail for a CI job

Exit codes: 0 sound, 1 warnings under --warnings-fail, 2 refused.`;

/** `flow check TARGET [REQUEST]`: no model, no network, no record, and no home is made (O-5, G-10, I-6). */
export const command: CommandModule = {
  spell: (words, command) => spellSlots(words.map(spellAlone), command),
  build(command, io, done) {
    addSandboxWords(addInvocationWords(command))
      .option('--rehearse', 'judge for a rehearsal, which needs no model')
      .option('--warnings-fail', 'exit 1 when there is a warning')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async () => done(await check(command, io)));
  },
};

interface CheckWords extends SandboxWords {
  rehearse?: boolean;
  warningsFail?: boolean;
  json?: boolean;
}

async function check(command: Command, io: Io): Promise<number> {
  const words = command.opts<CheckWords>();
  const invocation = { ...readInvocation(command), purpose: 'check', models: words.rehearse ? 'rehearsal' : 'provider' } as const;
  const disk = createDisk();
  const outcome = await prepare(invocation, preparePorts(io, { disk, clock: createClock() }));
  const { preparation, phrase } = await contained(outcome.ok ? await withWorkspaceSkills(outcome, disk) : outcome, words, {
    env: io.env,
    disk,
  });
  const { redactor } = io;
  const style = { redactor, color: io.outColor, width: io.width };

  if (words.json) await io.out(documentText(checkDocument(invocation.target, preparation), redactor));
  else if (preparation.ok) await io.out(planText(preparation.plan, { style, modelNeeded: invocation.models === 'provider' }));
  else await io.out(refusalText(preparation.refusals, style));
  if (phrase !== null && !words.json) await io.out(`${phrase}\n`);

  if (io.job !== undefined) await (await import('./job.js')).showChecked(checkedOf(invocation.target, preparation), io, redactor);
  if (!preparation.ok) return 2;
  return words.warningsFail && preparation.plan.warnings.length > 0 ? 1 : 0;
}

/** Loaded only when a sandbox is spoken of. */
async function contained(preparation: Preparation, words: CheckWords, around: { readonly env: Io['env']; readonly disk: Disk }) {
  if (words.sandbox === undefined && words.sandboxNet === undefined) return { preparation, phrase: null };
  return (await import('./check/sandbox.js')).withSandbox(preparation, words, around);
}

/** What a job's log is told of. */
function checkedOf(target: string, preparation: Preparation): Checking {
  if (!preparation.ok) return { target, refusals: preparation.refusals, warnings: [] };
  return { target, root: preparation.plan.source, refusals: [], warnings: preparation.plan.warnings };
}
