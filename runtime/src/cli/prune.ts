import type { Command } from 'commander';
import { counted } from '@gated-flow/text';
import { claims } from '../io/claims.js';
import { keptTrees } from '../io/worktree/kept.js';
import { present } from '../plan/options/inheritable.js';
import { chooseRuns, type Why } from '../prune/choose.js';
import { type Limits, type LimitWords, readLimits } from '../prune/limits.js';
import { clearLeftOver, removeRun } from '../prune/remove.js';
import { type Surveyed, surveyRuns } from '../prune/survey.js';
import { documentText } from '../views/document.js';
import { chosenText, heldText, totalText } from '../views/prune-text.js';
import type { CommandModule, Io } from './command.js';
import { MISUSE, type Reader, withReader } from './reading.js';

const EXAMPLES = `
A run goes as a whole: its record, its outputs and the child runs in it. What is running stays, and so does a run whose own
working tree (--isolate) holds work that is nowhere else. --keep protects the newest runs from every other limit.
Without --yes it asks on a terminal, and only lists elsewhere.

Examples:
  flow prune --older-than 30d            what would go
  flow prune --older-than 30d --yes      away with it
  flow prune --keep 20 --max-size 2G     at most 2 GiB, but never one of the newest 20

Exit codes: 0 done, or listed; 1 a run that should go could not; 2 misuse.`;

/** `flow prune` (I-12). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .option('--older-than <age>', 'runs that began longer ago: 12h, 30d, 8w')
      .option('--keep <n>', 'all but the newest')
      .option('--max-size <size>', 'the oldest, until all runs together are no larger: 500M, 2G')
      .option('-y, --yes', 'remove them, without asking')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async () => done(await prune(command, io)));
  },
};

interface Words extends LimitWords {
  yes?: boolean;
  json?: boolean;
}

function prune(command: Command, io: Io): Promise<number> {
  const { yes, json, olderThan, keep, maxSize } = command.opts<Words>();
  return withReader(command, io, async (reader) => {
    const read = readLimits(present({ olderThan, keep, maxSize }));
    if (!read.ok) return misuse(reader, read.message);
    const { home } = reader;
    if (home === null) return misuse(reader, 'No home is named: say --home, or set FLOW_HOME or HOME.');
    const owner = await claims.owner(home);
    if (owner !== 'own-folder' && owner !== 'absent')
      return misuse(reader, `The home ${home} is not a folder of your own: nothing is removed there.`);

    const now = reader.clock.now();
    const runs = await surveyRuns(home, { ...reader, trees: keptTrees });
    const plan: Plan = { limits: read.limits, now, runs, chosen: chooseRuns(runs, read.limits, now), home };
    if (json !== true) await reader.print(planText(plan));
    const agreed = plan.chosen.length > 0 && (yes === true || (json !== true && (await agree(plan, reader))));
    if (agreed || yes === true) return remove(plan, json === true, reader);
    if (json === true) await io.out(documentText(documentOf(plan, { removed: false, outcomes: new Map() }), reader.redactor));
    else if (plan.chosen.length > 0) await reader.print('Nothing was removed. --yes removes them.\n');
    return 0;
  });
}

interface Plan {
  readonly home: string;
  readonly limits: Limits;
  readonly now: number;
  readonly runs: readonly Surveyed[];
  readonly chosen: readonly { readonly run: Surveyed; readonly why: Why }[];
}

function misuse(reader: Reader, message: string): number {
  reader.say(message);
  return MISUSE;
}

function planText({ runs, chosen, limits, now }: Plan): string {
  const held = heldText(runs.filter((run) => run.held !== null));
  if (chosen.length === 0) return `${held}Nothing to remove: ${totalText(runs)} in all.\n`;
  return `${chosenText(chosen, limits, now)}${held}${totalText(chosen.map(({ run }) => run))} of ${totalText(runs)}.\n`;
}

/** Asks whoever sits there; anything but a yes is a no. */
async function agree({ chosen }: Plan, { io }: Reader): Promise<boolean> {
  if (!io.inIsTerminal || !io.errIsTerminal) return false;
  io.err(`Remove ${counted(chosen.length, 'run')} for good? [y/N] `);
  for await (const piece of io.stdin()) return /^\s*y(?:es)?\s*$/i.test(Buffer.from(piece).toString());
  return false;
}

interface Outcome {
  readonly removed: boolean;
  /** Run → why it could not go; absent when it went. */
  readonly outcomes: ReadonlyMap<string, string | null>;
}

async function remove(plan: Plan, json: boolean, reader: Reader): Promise<number> {
  const ports = { ...reader, trees: keptTrees };
  const leftOver = await clearLeftOver(plan.home, ports);
  const outcomes = new Map<string, string | null>();
  for (const { run } of plan.chosen) {
    const removed = await removeRun(run, ports);
    outcomes.set(run.run, removed.removed === 'kept' ? removed.why : null);
  }
  const gone = plan.chosen.filter(({ run }) => outcomes.get(run.run) === null).map(({ run }) => run);
  const failed = plan.chosen.length - gone.length;
  if (json) await reader.io.out(documentText(documentOf(plan, { removed: true, outcomes }), reader.redactor));
  else {
    for (const [run, why] of outcomes) if (why !== null) reader.say(`${run} was not removed: ${why}.`);
    if (leftOver.gone > 0) await reader.print(`What was left of ${counted(leftOver.gone, 'run')} that a prune had not finished is gone.\n`);
    if (plan.chosen.length > 0) await reader.print(`Removed: ${totalText(gone)}.\n`);
  }
  for (const one of leftOver.kept) reader.say(one);
  return failed > 0 || leftOver.kept.length > 0 ? 1 : 0;
}

function documentOf({ home, runs, chosen }: Plan, { removed, outcomes }: Outcome): object {
  const gone = chosen.filter(({ run }) => removed && outcomes.get(run.run) === null);
  const bytes = (some: readonly { readonly bytes: number }[]): number => some.reduce((sum, one) => sum + one.bytes, 0);
  return {
    ...{ kind: 'flow.prune', version: 1, home, removed },
    runs: chosen.map(({ run, why }) => ({
      ...{ run: run.run, state: run.state, began: new Date(run.began).toISOString(), bytes: run.bytes, why },
      removed: removed && outcomes.get(run.run) === null,
      ...(outcomes.get(run.run) ? { reason: outcomes.get(run.run) } : {}),
    })),
    held: runs.filter(({ held }) => held !== null).map(({ run, held }) => ({ run, reason: held })),
    total: { runs: runs.length, bytes: bytes(runs) },
    chosen: { runs: chosen.length, bytes: bytes(chosen.map(({ run }) => run)) },
    freed: { runs: gone.length, bytes: bytes(gone.map(({ run }) => run)) },
  };
}
