import { escapeControls } from '@gated-flow/text';
import type { Io } from './command.js';

/**
 * The exact bytes; on a terminal their text, with control characters shown instead of obeyed, and the last line ended (E-3). In a job's
 * log the bytes are exact too: when there are commands in them, the log is told to obey nothing any more in this step (I-7).
 */
export async function printBytes(open: () => AsyncIterable<Uint8Array>, io: Io): Promise<void> {
  if (!io.outIsTerminal) {
    const stopped = await stopCommands(open, io);
    for await (const chunk of open()) await io.out(chunk);
    if (stopped) io.err(STOPPED);
    return;
  }
  const chunks = open();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let last = '\n';
  const print = async (text: string): Promise<void> => {
    last = text.at(-1) ?? last;
    await io.out(text);
  };
  for await (const chunk of chunks) await print(escapeControls(decoder.decode(chunk, { stream: true })));
  await print(escapeControls(decoder.decode()));
  if (last !== '\n') await io.out('\n');
}

const STOPPED =
  "There are lines in it that GitHub's log would obey, so the log obeys no command of this step from here on. Into a file (> FILE) they do nothing.\n";

async function stopCommands(open: () => AsyncIterable<Uint8Array>, { job }: Io): Promise<boolean> {
  if (job === undefined || job.outIsFile) return false;
  const { holdsCommand } = await import('../reports/github/guard.js');
  if (!(await holdsCommand(open()))) return false;
  await job.stop();
  return true;
}
