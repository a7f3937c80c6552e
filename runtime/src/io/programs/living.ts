import type { Clock } from '../../ports/clock.js';
import type { Capture } from './capture.js';
import { end, groupLives, groups, send } from './kill.js';
import { sweepGroups, type BornGroup } from './sweep.js';

/** Between two looks at what a program left behind. */
const LOOK_MS = 250;

export interface OwnedGroup extends BornGroup {
  /** As in `ProgramRequest`: names the set that `sweep` ends. */
  readonly owner: string;
}

interface Entry {
  readonly born: OwnedGroup;
  readonly capture: Capture;
  readonly limitBytes: number;
  timer?: NodeJS.Timeout;
}

/** The groups that were started and may have living members. */
export function createLiving(clock: Clock) {
  const entries = new Map<number, Entry>();

  function drop({ born, capture, timer }: Entry): void {
    entries.delete(born.group);
    clearInterval(timer);
    capture.close();
  }

  /** What was left behind may still write: past the limit it is ended, and its capture cut. */
  function look(entry: Entry): void {
    const { born, capture, limitBytes } = entry;
    if (!send(-born.group, 0)) return drop(entry);
    if ((capture.sizeIfKnown() ?? 0) <= limitBytes) return;
    clearInterval(entry.timer);
    void end(groups([born.group]), clock).then(() => {
      if (entries.get(born.group) !== entry) return;
      capture.cut(limitBytes);
      drop(entry);
    });
  }

  return {
    /** From here the register owns the capture, and closes it. */
    add(born: OwnedGroup, capture: Capture, limitBytes: number): void {
      const namesake = entries.get(born.group);
      if (namesake) drop(namesake);
      entries.set(born.group, { born, capture, limitBytes });
    },

    /** The program has ended: it is forgotten, unless it left something behind. */
    settle(group: number): void {
      const entry = entries.get(group);
      if (!entry) return;
      if (!groupLives(group)) return drop(entry);
      entry.timer = setInterval(() => look(entry), LOOK_MS).unref();
    },

    async sweep(owner: string, marker?: string): Promise<void> {
      const owned = [...entries.values()].filter(({ born }) => born.owner === owner);
      await sweepGroups(
        owned.map(({ born }) => born),
        marker,
        clock,
      );
      // One that has not settled is still being run, and its capture looked at: whoever runs it settles it.
      for (const entry of owned) if (entries.get(entry.born.group) === entry && entry.timer) drop(entry);
    },

    killNow(): void {
      for (const group of entries.keys()) send(-group, 'SIGKILL');
    },
  };
}
