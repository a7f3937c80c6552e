import { runFile } from '../record/read-run.js';
import type { OpenRun } from '../record/find-run.js';
import type { Reader } from './reading.js';
import { printBytes } from './print-bytes.js';
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
  await printBytes(() => reader.disk.stream(at), reader.io);
  return FOUND;
}
