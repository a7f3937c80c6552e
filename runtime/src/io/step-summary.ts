import { appendFile, stat } from 'node:fs/promises';

/** GitHub drops a summary of 1 MiB and more, all of a step's together. */
const MOST_BYTES = (1 << 20) - 1024;

/** Appends to the summary of the step. Answers why not, in half a sentence; null when it was. Never rejects. */
export async function appendSummary(file: string, text: string): Promise<string | null> {
  try {
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size + Buffer.byteLength(text) > MOST_BYTES) return 'it is full';
    await appendFile(file, text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
