import { escapeControls } from '@gated-flow/text';
import { runFile } from '../record/read-run.js';
import type { OpenRun } from '../record/find-run.js';
import type { Reader } from './reading.js';
import { DAMAGED, FOUND } from './reading.js';

/**
 * Prints a file of the run: its exact bytes, or, on a terminal, its text with control characters escaped (E-3). A file whose hash is not
 * the one the record says is not printed. `sha256` null: the record says no hash of it.
 */
export async function printFile(
  file: { readonly path: string; readonly sha256: string | null },
  run: OpenRun,
  reader: Reader,
): Promise<number> {
  const at = await runFile(run.folder, file.path, reader.disk);
  if (at === null) {
    reader.say(`${file.path} is missing from the run, or is no plain file.`);
    return DAMAGED;
  }
  if (file.sha256 !== null && (await reader.disk.hash(at)).sha256 !== file.sha256) {
    reader.say(`${file.path} was altered: its hash is not the one that the record says. flow verify ${run.word} names every difference.`);
    return DAMAGED;
  }
  const chunks = reader.disk.stream(at);
  if (reader.io.outIsTerminal) await printEscaped(chunks, reader);
  else for await (const chunk of chunks) await reader.io.out(chunk);
  return FOUND;
}

async function printEscaped(chunks: AsyncIterable<Uint8Array>, { io }: Reader): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of chunks) await io.out(escapeControls(decoder.decode(chunk, { stream: true })));
  await io.out(escapeControls(decoder.decode()));
}
