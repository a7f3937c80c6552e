import { boundedEnds, createUtf8Check, type Redactor, type TextEnds } from '@gated-flow/text';
import type { Disk } from '../ports/disk.js';
import { AGENT_BYTES, TERMINAL_BYTES, type Views, viewsOf } from './view.js';

/** Where captures are read, and what must not be shown of them. */
export interface CaptureReading {
  readonly disk: Pick<Disk, 'read' | 'stream'>;
  readonly redactor: Redactor;
}

/**
 * Both views of a captured file (K-8), in flat memory however much was printed. Only a capture with a secret in it is read whole:
 * masking may change what stands anywhere. Rejects with a DiskError.
 */
export async function captureViews(path: string, { disk, redactor }: CaptureReading): Promise<Views> {
  const ends = createEnds(AGENT_BYTES);
  const utf8 = createUtf8Check();
  const secrets = createSearch(redactor);
  for await (const piece of disk.stream(path)) {
    if (!utf8.see(piece)) return viewsOfEnds(null);
    if (secrets.see(piece)) return viewsOf(await disk.read(path), redactor);
    ends.see(piece);
  }
  return viewsOfEnds(utf8.end() ? ends.all() : null);
}

function viewsOfEnds(ends: TextEnds | null): Views {
  return { agent: boundedEnds(ends, AGENT_BYTES), terminal: boundedEnds(ends, TERMINAL_BYTES) };
}

/** Keeps copies of the first and the last bytes of what passes; a piece is gone when the next comes. */
function createEnds(size: number): { see(piece: Uint8Array): void; all(): TextEnds } {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let bytes = 0;
  return {
    see(piece) {
      bytes += piece.length;
      if (head.length < size) head = Buffer.concat([head, piece.subarray(0, size - head.length)]);
      tail = Buffer.from(Buffer.concat([tail, piece.subarray(-size)]).subarray(-size));
    },
    all: () => ({ head, tail, bytes }),
  };
}

/** Whether a secret may have passed, also one that stands across two pieces. */
function createSearch(redactor: Redactor): { see(piece: Uint8Array): boolean } {
  const { reach } = redactor;
  let before = Buffer.alloc(0);
  return {
    see(piece) {
      if (reach === 0) return false;
      const seam = Buffer.concat([before, piece.subarray(0, reach)]);
      const found = redactor.mayBeIn(seam) || redactor.mayBeIn(piece);
      before = Buffer.from(Buffer.concat([before, piece.subarray(-reach)]).subarray(-reach));
      return found;
    },
  };
}
