/**
 * The whole lines of a stream, without their newlines; bytes after the last newline are no line. A line is good until the next one is
 * asked for. Memory is that of the longest line.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let from = 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
      const tail = bytes.subarray(from, at);
      yield pending.length === 0 ? tail : Buffer.concat([...pending, tail]);
      pending = [];
      from = at + 1;
    }
    if (from < bytes.length) pending.push(Buffer.from(bytes.subarray(from)));
  }
}
