import { createHash } from 'node:crypto';
import type { Fact } from '@gated-flow/record';
import { FIRST_PREV, encodeLine, hashLine } from '@gated-flow/record';
import type { AppendFile, FileStamp } from '../ports/append.js';
import type { Clock } from '../ports/clock.js';
import type { Recorder } from './recorder.js';

/** The recorder with what a seal needs to know of the file. */
export interface RunRecorder extends Recorder {
  /** SHA-256 of the bytes appended so far, and how many lines. */
  digest(): { readonly sha256: string; readonly lines: number };
}

/** The one writer of `record.jsonl`. Text in the facts is written as it is: whoever appends has redacted it. */
export function openRecord(file: AppendFile, clock: Clock): RunRecorder {
  const sum = createHash('sha256');
  let prev = FIRST_PREV;
  let lines = 0;
  let known = file.stamp();
  let touched = false;

  return {
    append(fact: Fact): void {
      touched ||= !sameStamp(file.stamp(), known);
      const line = encodeLine(fact, new Date(clock.now()).toISOString(), prev);
      const bytes = Buffer.from(`${line}\n`);
      file.append(bytes);
      sum.update(bytes);
      prev = hashLine(line);
      lines += 1;
      known = file.stamp();
    },
    sync: () => file.sync(),
    async intact(): Promise<boolean> {
      for (;;) {
        const looked = lines;
        const now = await file.standing();
        const found = now && sameFile(now, known) && (touched || !sameStamp(now, known)) ? await file.hash() : null;
        // A stage beside this one may have appended in the meantime: what was seen is neither before nor after that.
        if (lines !== looked) continue;
        if (now === null || !sameFile(now, known)) return false;
        if (found === null) return true;
        if (found !== sum.copy().digest('hex')) return false;
        known = now;
        touched = false;
        return true;
      }
    },
    digest: () => ({ sha256: sum.copy().digest('hex'), lines }),
    close: () => file.close(),
  };
}

function sameFile(a: FileStamp, b: FileStamp): boolean {
  return a.device === b.device && a.inode === b.inode && a.size === b.size;
}

function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return sameFile(a, b) && a.modified === b.modified && a.changed === b.changed;
}
