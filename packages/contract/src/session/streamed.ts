/** Agents that answer in a stream: which kinds there are, what text is in their pieces, and a held stream of the same kind. */
import { Readable } from 'node:stream';
import { isFields, jsonOf } from '../read/values.js';

/**
 * What a held agent returns: what the agent does, later. A stream stays one of its kind, and can be read without waiting for it:
 * `for await (const piece of held(…))`.
 */
export type Held<Result> = Promise<Result> & (Result extends AsyncIterable<infer Piece> ? AsyncIterable<Piece> : unknown);

/** The promise of a stream, which is a stream too. */
export function readable<Result>(result: Promise<Result>): Held<Result>;
export function readable(result: Promise<unknown>): unknown {
  return Object.assign(result, { [Symbol.asyncIterator]: () => piecesOf(result) });
}

async function* piecesOf(result: Promise<unknown>): AsyncGenerator<unknown> {
  const stream = await result;
  if (!isAsyncIterable(stream)) throw new TypeError('The agent answers with no stream.');
  yield* stream;
}

/** A stream of the result's own kind whose pieces went through `hold`; null for a result that is no stream. */
export function streamedLike<Result>(result: Result, hold: (pieces: AsyncIterable<unknown>) => AsyncGenerator<unknown>): Result | null;
export function streamedLike(result: unknown, hold: (pieces: AsyncIterable<unknown>) => AsyncGenerator<unknown>): unknown {
  if (!isAsyncIterable(result)) return null;
  const pieces = hold(result);
  if (result instanceof ReadableStream) return ReadableStream.from(pieces);
  return result instanceof Readable ? Readable.from(pieces, { objectMode: result.readableObjectMode }) : pieces;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

export interface PieceTexts {
  /** The text that a piece adds: itself, its bytes, its `text` or `delta`, else its JSON. */
  textOf(piece: unknown): string;
  /** The output as it is judged: the bytes when all of it came as bytes. */
  whole(text: string): string | Uint8Array;
}

export function textsOfPieces(): PieceTexts {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const bytes: Uint8Array[] = [];
  let onlyBytes = true;
  return {
    textOf(piece) {
      if (piece instanceof Uint8Array) {
        bytes.push(piece);
        return decoder.decode(piece, { stream: true });
      }
      onlyBytes = false;
      if (typeof piece === 'string') return piece;
      const text = isFields(piece) ? (piece['text'] ?? piece['delta']) : undefined;
      return typeof text === 'string' ? text : jsonOf(piece);
    },
    whole: (text) => (onlyBytes && bytes.length > 0 ? Buffer.concat(bytes) : text),
  };
}
