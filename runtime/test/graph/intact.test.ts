/** One record, many writers: in every order in which a disk may answer. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppendFile, FileStamp } from '../../src/ports/append.js';
import { openRecord } from '../../src/record/open-record.js';

const clock = { now: () => 0, elapsed: () => 0, sleep: () => Promise.resolve(), after: () => () => undefined };
type Meddling = 'nothing' | 'touch' | 'edit' | 'append' | 'replace';

interface Standing {
  readonly inode: bigint;
  bytes: Buffer;
  time: bigint;
}

/** A file in memory whose slow operations answer when the scheduler says, with what stood at its path at some moment in between. */
function slowFile(scheduler: fc.Scheduler): AppendFile & { meddle(how: Meddling): void } {
  const open: Standing = { inode: 1n, bytes: Buffer.alloc(0), time: 0n };
  let standing = open;
  const stampOf = ({ inode, bytes, time }: Standing): FileStamp => ({
    ...{ device: 1n, inode, size: BigInt(bytes.length) },
    ...{ modified: time, changed: time },
  });
  const slowly = async <T>(look: () => T): Promise<T> => {
    await scheduler.schedule(Promise.resolve());
    const seen = look();
    await scheduler.schedule(Promise.resolve());
    return seen;
  };
  return {
    append(more) {
      open.bytes = Buffer.concat([open.bytes, more]);
      open.time += 1n;
    },
    sync: () => slowly(() => undefined),
    stamp: () => stampOf(open),
    standing: () => slowly(() => stampOf(standing)),
    hash: () => slowly(() => createHash('sha256').update(standing.bytes).digest('hex')),
    close: () => {},
    meddle(how) {
      if (how === 'nothing') return;
      if (how === 'replace') standing = { ...standing, inode: 2n };
      standing.time += 1n;
      if (how === 'edit') standing.bytes = Buffer.from(standing.bytes.toString().replace('SIGINT', 'SIGINX'));
      if (how === 'append') standing.bytes = Buffer.concat([standing.bytes, Buffer.from('\n')]);
    },
  };
}

async function verdicts(scheduler: fc.Scheduler, writers: readonly number[], how: Meddling) {
  const file = slowFile(scheduler);
  const recorder = openRecord(file, clock);
  recorder.append({ event: 'signal', signal: 2, name: 'SIGINT' });
  const found: { readonly asked: 'before' | 'after'; readonly intact: boolean }[] = [];
  let meddled = false;
  const write = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await scheduler.schedule(Promise.resolve());
      recorder.append({ event: 'signal', signal: n, name: 'x' });
    }
    const asked = meddled ? 'after' : 'before';
    found.push({ asked, intact: await recorder.intact() });
  };
  const meddle = scheduler.schedule(Promise.resolve()).then(() => {
    file.meddle(how);
    meddled = true;
  });
  await scheduler.waitFor(Promise.all([meddle, ...writers.map(write)]));
  return { found, last: await scheduler.waitFor(recorder.intact()) };
}

const writers = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 });

describe('a record that many stages write at once', () => {
  it.each<Meddling>(['nothing', 'touch'])(
    '[R-1 G-5] is never taken for a changed one, whoever writes while it is looked at: %s',
    async (how) => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), writers, async (scheduler, counts) => {
          const { found, last } = await verdicts(scheduler, counts, how);
          expect(found).toHaveLength(counts.length);
          expect([...found.map(({ intact }) => intact), last]).toEqual(Array.from({ length: counts.length + 1 }, () => true));
        }),
        { numRuns: 400 },
      );
    },
  );

  it.each<Meddling>(['edit', 'append', 'replace'])(
    '[R-1 G-5] that was changed is never taken for whole by who looks afterwards: %s',
    async (how) => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), writers, async (scheduler, counts) => {
          const { found, last } = await verdicts(scheduler, counts, how);
          expect(found.filter(({ asked, intact }) => asked === 'after' && intact)).toEqual([]);
          expect(last).toBe(false);
        }),
        { numRuns: 400 },
      );
    },
  );
});
