import { type RunView } from '@gated-flow/record';
import { escapeControls, isUtf8, type Redactor } from '@gated-flow/text';
import { openBytes } from '../../io/open-bytes.js';
import type { RunOutcome } from '../../run/finish.js';
import { documentText } from '../../views/document.js';
import { runDocument, type RunOutput } from '../../views/run-document.js';
import { failureText, successText } from '../../views/run-ending.js';
import type { Io } from '../command.js';
import type { RunWords } from '../run.js';

export interface Presenting {
  readonly view: RunView;
  readonly words: RunWords;
  readonly io: Io;
  readonly redactor: Redactor;
  readonly leftOver: readonly string[];
}

/** Output larger than this is not repeated inside the document (E-3), in bytes. */
const INLINE_BYTES = 64 * 1024;

/** The output on standard output, or the document; everything else on standard error (E-3, E-4). Answers the exit code. */
export async function present(outcome: RunOutcome, presenting: Presenting): Promise<number> {
  const { view, words, io, redactor, leftOver } = presenting;
  const success = outcome.ending.cause === 'success';
  if (outcome.trouble !== null) io.err(`The record could not be finished: ${redactor.text(outcome.trouble)}.\n`);
  const lines = outcome.worktree.length === 0 ? '' : `${outcome.worktree.join('\n')}\n`;
  if (words.json) await io.out(documentText(runDocument(view, outcome, await outputOf(outcome, view)), redactor));
  else if (success && outcome.output) await printOutput(outcome.output.file, io);
  if (words.verbose && leftOver.length > 0)
    io.err(`${escapeControls(`Lines of the script that nothing asked for:\n${leftOver.join('\n')}`)}\n`);
  if (!success) io.err(escapeControls(redactor.text(failureText(outcome, view))));
  else if (!words.quiet) io.err(escapeControls(redactor.text(successText(outcome, view))));
  io.err(escapeControls(redactor.text(lines)));
  return outcome.ending.exit;
}

/** Byte for byte; on a terminal, control characters are shown instead of obeyed. */
async function printOutput(file: string, io: Io): Promise<void> {
  if (!io.outIsTerminal) {
    for await (const chunk of openBytes(file)) await io.out(chunk);
    return;
  }
  const decoder = new TextDecoder();
  let last = '';
  for await (const chunk of openBytes(file)) {
    const text = escapeControls(decoder.decode(chunk, { stream: true }));
    last = text.at(-1) ?? last;
    await io.out(text);
  }
  if (last !== '\n') await io.out('\n');
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
