import type { Clock } from '../../ports/clock.js';
import { processesMarked, readProcess } from '../process-table.js';
import { contained, end, groups, processes } from './kill.js';

/** A process group as it was born. With its start time it cannot be taken for a later one of the same number. */
export interface BornGroup {
  readonly group: number;
  /** Clock ticks after boot; null where the system does not say. */
  readonly startTime: string | null;
  /** It was started in a sandbox. */
  readonly contained?: true;
}

/**
 * Ends what is left of these groups and, on Linux, every process that has `marker`, or a path below it, as `TMPDIR` or `INPUT` in
 * its environment: that finds what left its group by setsid (E-2, L-6). Works for groups of a run that crashed as well, on the same boot.
 */
export async function sweepGroups(born: readonly BornGroup[], marker: string | undefined, clock: Clock): Promise<void> {
  const ours = born.filter(isStillOurs);
  const bare = ours.filter((one) => one.contained === undefined).map(({ group }) => group);
  await Promise.all([
    end(groups(bare), clock),
    ...ours.flatMap((one) => (one.contained ? [end(contained(one.group), clock)] : [])),
    marker === undefined
      ? null
      : end(
          processes(() => processesMarked(marker)),
          clock,
        ),
  ]);
}

/** A group's number stays taken while a member lives. If its leader was born at another time, the number went to a stranger. */
function isStillOurs({ group, startTime }: BornGroup): boolean {
  const leader = readProcess(group);
  return leader === null || startTime === null || leader.startTime === startTime;
}
