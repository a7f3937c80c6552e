import type { RunView } from '@gated-flow/record';
import { escapeControls, isUtf8 } from '@gated-flow/text';
import { openBytes } from '../../io/open-bytes.js';
import type { Called } from '../../run/call.js';
import type { RunOutcome } from '../../run/finish.js';
import { documentText } from '../../views/document.js';
import { runDocument, type RunOutput } from '../../views/run-document.js';
import { failureText, successText } from '../../views/run-ending.js';
import { asksForTraces } from '../../telemetry/asked.js';
import type { Io } from '../command.js';
import { printBytes } from '../print-bytes.js';
import type { RunWatch } from './watch.js';
import type { RunWords } from './words.js';

/** Output larger than this is not repeated inside the document (E-3), in bytes. */
const INLINE_BYTES = 64 * 1024;

type Ended = Called<RunWatch> & { readonly ok: true };

/** The output on standard output, or the document; everything else on standard error (E-3, E-4). Answers the exit code. */
export async function present(
  { outcome, leftOver, watch }: Ended,
  { words, io }: { readonly words: RunWords; readonly io: Io },
): Promise<number> {
  if (!watch) throw new Error('the run was not watched');
  const { redactor } = watch;
  const view = watch.view();
  const say = (text: string): void => io.err(escapeControls(redactor.text(text)));
  const success = outcome.ending.cause === 'success';
  if (outcome.trouble !== null) say(`The record could not be finished: ${outcome.trouble}.\n`);
  if (io.job !== undefined) await (await import('../job.js')).showRun(outcome, io, redactor);
  if (words.json)
    await io.out(documentText(runDocument(view, outcome, { output: await outputOf(outcome, view), below: watch.below() }), redactor));
  else if (success && outcome.output) {
    const { file } = outcome.output;
    if (io.outIsTerminal && !words.quiet) say('\n');
    await printBytes(() => openBytes(file), io);
  }
  if (words.verbose && leftOver.length > 0) say(`Lines of the script that nothing asked for:\n${leftOver.join('\n')}\n`);
  if (!success) say(failureText(outcome, view, watch.folderOf));
  else if (!words.quiet) say(`\n${successText(outcome, view)}`);
  for (const line of outcome.worktree) say(`${line}\n`);
  const untraced = asksForTraces(io.env) ? await (await import('../telemetry.js')).exportRun(outcome, io, redactor) : null;
  if (untraced !== null) say(`${untraced}\n`);
  return outcome.ending.exit;
}

async function outputOf({ output }: RunOutcome, view: RunView): Promise<RunOutput | null> {
  const sealed = view.stages.findLast(({ ending }) => ending?.sealed)?.ending?.output;
  if (!output || !sealed) return null;
  const { file, sha256 } = output;
  return { path: file, sha256, bytes: sealed.bytes, text: sealed.bytes < INLINE_BYTES ? await textOf(file) : null };
}

async function textOf(file: string): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of openBytes(file)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}
