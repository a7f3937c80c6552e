/** Progress that is quiet while a person is asked something, and then says what it held back (I-3, V-5). */
import type { Screen } from '../ports/screen.js';

export interface Hush {
  /** From now on nothing is written, until the answer is called. What is painted is taken away for good: nothing goes back over a question. */
  hush(): () => void;
}

export function hushableWriter(write: (text: string) => void): Hush & { write(text: string): void } {
  const queue = holding<string>((texts) => texts.forEach(write));
  return { write: (text) => queue.say(text, write), hush: queue.hush };
}

export function hushableScreen(screen: Screen): Hush & { readonly screen: Screen } {
  const queue = holding<readonly string[]>((kept) => kept.forEach((lines) => screen.print(lines)));
  return {
    hush() {
      if (!queue.isHeld()) screen.print([]);
      return queue.hush();
    },
    screen: {
      paint: (lines) => {
        if (!queue.isHeld()) screen.paint(lines);
      },
      print: (lines) => queue.say(lines, (kept) => screen.print(kept)),
      close: () => screen.close(),
      get columns() {
        return screen.columns;
      },
      get rows() {
        return screen.rows;
      },
    },
  };
}

/** What is said while somebody holds it is said once nobody does. */
function holding<T>(release: (held: readonly T[]) => void) {
  let holders = 0;
  let held: T[] = [];
  return {
    isHeld: () => holders > 0,
    say(text: T, now: (text: T) => void) {
      if (holders > 0) held.push(text);
      else now(text);
    },
    hush() {
      holders += 1;
      let over = false;
      return () => {
        if (over) return;
        over = true;
        holders -= 1;
        if (holders > 0) return;
        const all = held;
        held = [];
        release(all);
      };
    },
  };
}
