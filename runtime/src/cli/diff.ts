import { type Command, Option } from 'commander';
import type { RunView } from '@gated-flow/record';
import { counted } from '@gated-flow/text';
import { endingOf, usageOf } from '../diff/compare.js';
import { diffRuns, type RunDiff, type Side } from '../diff/diff.js';
import { runDiffText } from '../diff/text.js';
import type { OpenRun } from '../record/find-run.js';
import { findRun } from '../record/find-run.js';
import { readRun } from '../record/read-run.js';
import { emptyRecord } from '../record/reading-sentence.js';
import { documentText, safeJson } from '../views/document.js';
import type { CommandModule, Io } from './command.js';
import { childPorts, countingNumber, DAMAGED, MISUSE, type Reader, sayDamage, withReader } from './reading.js';

const EXAMPLES = `
RUN is a name, the beginning of one, latest, or the path of a run's folder.

Examples:
  flow diff 2026-11-30T12-03-44-9c1e latest   the earlier run is A, the later one B
  flow diff ./before latest --json | jq .same
  flow diff ./before latest --lines 500       more of what is different in outputs

Compared are stages, endings, checks, outputs, options and cost; times are no difference.
Exit codes: 0 the same, 1 different, 2 misuse or no such run, 5 a damaged or altered record.`;

const SAME = 0;
const DIFFERENT = 1;
const LINES = '40';

interface Words {
  readonly json?: boolean;
  readonly lines: string;
}

/** `flow diff RUN RUN` (I-1). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<a>', 'a run: latest, its name or the beginning of it, or its folder')
      .argument('<b>', 'the run to compare with it')
      .addOption(new Option('--lines <n>', 'lines told of each different output').default(LINES))
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async (a: string, b: string) => done(await diff(command, io, [a, b])));
  },
};

interface Opened {
  readonly side: Side;
  /** Whether its record is damaged; said already. */
  readonly damaged: boolean;
}

function diff(command: Command, io: Io, [wordA, wordB]: readonly [string, string]): Promise<number> {
  return withReader(command, io, async (reader) => {
    const { json = false, lines: typed } = command.opts<Words>();
    const lines = countingNumber(typed);
    if (lines === null) {
      reader.say(`--lines wants a whole number from 1, not ${JSON.stringify(typed)}.`);
      return MISUSE;
    }
    const a = await openSide(wordA, reader);
    const b = await openSide(wordB, reader);
    if (typeof a === 'number' || typeof b === 'number') return Math.max(typeof a === 'number' ? a : 0, typeof b === 'number' ? b : 0);
    const told = { disk: reader.disk, lines };
    const diffs = diffRuns(a.side, b.side, told);
    const outcome = json ? await printDocument(diffs, [a.side, b.side], reader) : await printText(diffs, [a.side, b.side], reader);
    if (a.damaged || b.damaged || outcome.damaged) return DAMAGED;
    return outcome.same ? SAME : DIFFERENT;
  });
}

/** An exit code when there is nothing to compare; it was said why. */
async function openSide(word: string, reader: Reader): Promise<Opened | number> {
  const found = await findRun(word, { home: reader.home, cwd: reader.io.cwd, disk: reader.disk });
  if (found.found !== 'one') {
    reader.say(found.message);
    return MISUSE;
  }
  const { run } = found;
  const { view, reading } = await readRun(run.folder);
  const damaged = sayDamage(reading, run, reader);
  if (view === null) {
    if (!damaged) reader.say(emptyRecord(run));
    return damaged ? DAMAGED : MISUSE;
  }
  if (!damaged && view.ending === null) reader.say(`${run.name} has no end yet: it is compared as far as it got.`);
  return { side: { run, view, children: await childPorts(run, reader) }, damaged };
}

interface Outcome {
  readonly same: boolean;
  readonly damaged: boolean;
}

async function printText(diffs: AsyncIterable<RunDiff>, [a, b]: readonly [Side, Side], reader: Reader): Promise<Outcome> {
  await reader.print(`A  ${titleOf(a.view, a.run)}\nB  ${titleOf(b.view, b.run)}\n\n`);
  let [same, damaged, alike] = [true, false, 0];
  for await (const one of diffs) {
    if (reader.io.outClosed.aborted) break;
    if (one.same && one.place !== '') alike += 1;
    same &&= one.same;
    damaged ||= one.damage.length > 0;
    await reader.print(runDiffText(one, Math.max(reader.io.width, 60)));
    for (const sentence of one.damage) reader.say(sentence);
  }
  if (alike > 0) await reader.print(` = ${counted(alike, 'child run')}\n`);
  await reader.print(same ? '\nThe same, but for times.\n' : '\nDifferent.\n');
  return { same, damaged };
}

function titleOf(view: RunView, run: OpenRun): string {
  return [
    run.name,
    view.flow === '' ? 'assembly' : view.flow,
    counted(view.stages.length, 'stage'),
    endingOf(view),
    usageOf(view.usage),
  ].join(' · ');
}

/** The document is streamed: what is different in a thousand child runs may be more than memory holds. */
async function printDocument(diffs: AsyncIterable<RunDiff>, [a, b]: readonly [Side, Side], { io, redactor }: Reader): Promise<Outcome> {
  const about = ({ run, view }: Side): object => ({
    run: view.run,
    folder: run.folder,
    flow: view.flow,
    assembly_hash: view.assembly_hash,
    ending: endingOf(view),
    usage: view.usage,
  });
  const head = documentText({ kind: 'flow.diff', version: 1, a: about(a), b: about(b) }, redactor);
  await io.out(`${head.replace(/\n\}\n$/, '')},\n  "runs": [`);
  let [same, damaged, between] = [true, false, '\n'];
  for await (const one of diffs) {
    if (io.outClosed.aborted) break;
    same &&= one.same;
    damaged ||= one.damage.length > 0;
    await io.out(between + safeJson(JSON.stringify(redactor.json(one))));
    between = ',\n';
  }
  await io.out(`\n  ],\n  "same": ${same},\n  "damaged": ${damaged}\n}\n`);
  return { same, damaged };
}
