import { escapeControls } from '@gated-flow/text';
import type { Io } from './command.js';

/** The exact bytes; on a terminal their text, with control characters shown instead of obeyed, and the last line ended (E-3). */
export async function printBytes(chunks: AsyncIterable<Uint8Array>, io: Io): Promise<void> {
  if (!io.outIsTerminal) {
    for await (const chunk of chunks) await io.out(chunk);
    return;
  }
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
