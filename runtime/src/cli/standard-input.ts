import type { StandardInput } from '../plan/prepare.js';
import type { Clock } from '../ports/clock.js';
import type { Io } from './command.js';

const SILENT_MS = 1000;

/** Standard input as the request's reader needs it (O-3). */
export function standardInput(io: Pick<Io, 'stdin' | 'inIsTerminal' | 'err'>, clock: Pick<Clock, 'after'>): StandardInput {
  return {
    isTerminal: io.inIsTerminal,
    notice: (sentence) => io.err(`${sentence}\n`),
    async read(limit, silent) {
      const cancel = clock.after(SILENT_MS, silent);
      const chunks: Uint8Array[] = [];
      let size = 0;
      try {
        for await (const chunk of io.stdin()) {
          cancel();
          chunks.push(chunk);
          size += chunk.length;
          if (size > limit) break;
        }
      } finally {
        cancel();
      }
      return Buffer.concat(chunks).subarray(0, limit + 1);
    },
  };
}
