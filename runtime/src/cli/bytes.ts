import { join } from 'node:path';
import type { Redactor } from '@gated-flow/text';
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

/** The same of what nobody sealed: secrets in it are masked, and where the bytes are is said on standard error (S-2). */
export function printMasked(
  file: { readonly path: string; readonly sha256: string | null },
  run: OpenRun,
  reader: Reader,
): Promise<number> {
  let held = false;
  const disk: Reader['disk'] = { ...reader.disk, stream: (path) => masked(reader.disk.stream(path), reader.redactor, () => (held = true)) };
  return printFile(file, run, { ...reader, disk }).finally(() => {
    if (held) reader.say(`Secrets in it are shown as ***. Its bytes are in ${join(run.folder, file.path)}.`);
  });
}

async function* masked(bytes: AsyncIterable<Uint8Array>, redactor: Redactor, found: () => void): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  const all = Buffer.concat(pieces);
  const holds = redactor.mayBeIn(all);
  if (holds) found();
  yield holds ? Buffer.from(redactor.text(all.toString())) : all;
}
