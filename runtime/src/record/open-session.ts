import { createHash } from 'node:crypto';
import type { SessionEntry } from '@gated-flow/record';
import type { AppendFile } from '../ports/append.js';
import type { Clock } from '../ports/clock.js';
import type { SessionLog } from './recorder.js';

/** The one writer of a stage's `session.jsonl` (L-2). */
export function openSession(file: AppendFile, clock: Clock): SessionLog {
  const sum = createHash('sha256');
  let lines = 0;
  return {
    append(entry: SessionEntry): void {
      const bytes = Buffer.from(`${JSON.stringify({ ts: new Date(clock.now()).toISOString(), ...entry })}\n`);
      file.append(bytes);
      sum.update(bytes);
      lines += 1;
    },
    digest: () => ({ sha256: sum.copy().digest('hex'), lines }),
    close: () => file.close(),
  };
}
