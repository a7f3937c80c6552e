import { createClock } from '../../src/io/clock.js';
import type { Clock } from '../../src/ports/clock.js';

/** How far the time leaps, in milliseconds. */
export const LEAP_MS = 3_600_000;
const LOOK_MS = 5;

/**
 * For a limit of time that is to be met after something has happened, however slow the machine is: time stands still until `happened`
 * says so, leaps once, and then goes on. Pauses take as long as ever.
 */
export function leapingClock(happened: () => boolean): Clock {
  const real = createClock();
  let leapt: number | null = null;
  const since = (): number | null => (leapt ??= happened() ? real.elapsed() : null);
  return {
    ...real,
    elapsed() {
      const at = since();
      return at === null ? 0 : LEAP_MS + real.elapsed() - at;
    },
    after(ms, act) {
      if (since() !== null) return real.after(ms, act);
      let cancel = (): void => clearInterval(look);
      const look = setInterval(() => {
        if (since() === null) return;
        clearInterval(look);
        if (ms <= LEAP_MS) act();
        else cancel = real.after(ms - LEAP_MS, act);
      }, LOOK_MS);
      return () => cancel();
    },
  };
}
