import { sleepBy, type Clock } from '../ports/clock.js';

export interface ManualClock extends Clock {
  /** Lets time pass: what falls due is called in order, and what that leads to is waited for before time goes on. */
  advance(ms: number): Promise<void>;
  /** How many callbacks and sleeps are waiting. */
  waiting(): number;
}

interface Due {
  readonly at: number;
  readonly act: () => void;
}

/** A clock that stands still until told. `start` is in milliseconds since 1970. */
export function createManualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let passed = 0;
  let dues: Due[] = [];

  function after(ms: number, act: () => void): () => void {
    const due = { at: passed + Math.max(0, ms), act };
    dues.push(due);
    return () => void (dues = dues.filter((other) => other !== due));
  }

  return {
    now: () => start + passed,
    elapsed: () => passed,
    after,
    sleep: sleepBy(after),
    async advance(ms) {
      const until = passed + ms;
      await settled();
      for (let next = earliest(dues, until); next; next = earliest(dues, until)) {
        const { at, act } = next;
        dues = dues.filter((due) => due !== next);
        passed = at;
        act();
        await settled();
      }
      passed = until;
    },
    waiting: () => dues.length,
  };
}

function earliest(dues: readonly Due[], until: number): Due | undefined {
  return dues
    .filter(({ at }) => at <= until)
    .reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined);
}

/** A turn of the event loop: all promises that can settle have. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.once('message', () => {
      port1.close();
      resolve();
    });
    port2.postMessage(null);
  });
}
