const BLOCK_LENGTH = 32 * 1024;

/** The same text in fewer, larger pieces: printing costs by the piece. */
export async function* inBlocks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let block = '';
  for await (const piece of pieces) {
    block += piece;
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}
