import { sleepBy, type Clock } from '../ports/clock.js';

/** The longest delay that Node's timers take without firing at once. */
const LONGEST = 2 ** 31 - 1;

export function createClock(): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    after,
    sleep: sleepBy(after),
  };
}

function after(ms: number, act: () => void): () => void {
  let left = Math.max(0, ms);
  let timer: NodeJS.Timeout;
  const arm = () => {
    const step = Math.min(left, LONGEST);
    left -= step;
    timer = setTimeout(() => (left > 0 ? arm() : act()), step);
  };
  arm();
  return () => clearTimeout(timer);
}
