/** What a step of GitHub Actions is given besides its log: annotations and a summary (I-7). Loaded in such a job only. */
import { locate, type Refusal } from '@gated-flow/assembly';
import type { Redactor } from '@gated-flow/text';
import { createDisk } from '../io/disk.js';
import { appendSummary } from '../io/step-summary.js';
import type { Warning } from '../plan/plan.js';
import type { OpenRun } from '../record/find-run.js';
import { readRun } from '../record/read-run.js';
import { annotationsOf } from '../reports/formats.js';
import { repositoryOf } from '../reports/github/annotations.js';
import { checkCommands, checkSummary } from '../reports/github/check-summary.js';
import { markdownReport } from '../reports/markdown.js';
import { partsOf } from '../reports/source.js';
import { openWords } from '../reports/words.js';
import type { Io } from './command.js';

/** Tells of a run that is over. Never changes how the command ends: what goes wrong is said in a line. */
export function showRun(outcome: { readonly run: string; readonly folder: string }, io: Io, redactor: Redactor): Promise<void> {
  return told(io, async () => {
    const { run: name, folder } = outcome;
    const run: OpenRun = { name, folder, word: name, within: [], outermost: folder };
    const { view } = await readRun(folder);
    if (view === null) return;
    const source = { run, view, disk: createDisk(), redactor, alive: false };
    const request = { ...source, words: openWords(source), parts: () => partsOf(source, () => {}), repository: repositoryOf(io) };
    io.job?.command(await annotationsOf(request));
    await summarise(`${await markdownReport(request.parts(), request.words)}\n`, io);
  });
}

export interface Checking {
  readonly target: string;
  /** What the paths are relative to: found by the target when it is not said, null when nothing says. */
  readonly root?: string | null;
  readonly refusals: readonly Refusal[];
  readonly warnings: readonly Warning[];
}

/** Tells why nothing was run, or what should be looked at. */
export function showChecked(checking: Checking, io: Io, redactor: Redactor): Promise<void> {
  return told(io, async () => {
    const root = checking.root === undefined ? locate(checking.target, io.cwd).root : checking.root;
    const checked = { ...checking, root };
    const telling = { redactor, repository: repositoryOf(io) };
    io.job?.command(checkCommands(checked, telling));
    await summarise(checkSummary(checked, telling), io);
  });
}

async function summarise(text: string, io: Io): Promise<void> {
  const file = io.env['GITHUB_STEP_SUMMARY'];
  if (!file) return;
  const why = await appendSummary(file, text);
  if (why !== null) io.err(`The summary of the step was not written: ${why}.\n`);
}

async function told(io: Io, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    io.err(`The annotations were not written: ${error instanceof Error ? error.message : String(error)}.\n`);
  }
}
