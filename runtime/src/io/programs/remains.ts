import type { Clock } from '../../ports/clock.js';
import type { ProcessMark } from '../../ports/processes.js';
import type { Remains } from '../../ports/remains.js';
import { carriesMarker, isLiving, listProcesses, printsInto, readProcess, type ProcessEntry } from '../process-table.js';
import { end, send } from './kill.js';

/** The port on the real system; without `/proc` nothing is found and nothing is hit. */
export async function endRemains(remains: Remains, clock: Clock): Promise<number> {
  const met = new Set<number>();
  await end(
    {
      living: () => find(remains).length > 0,
      signal(signal) {
        for (const { pid } of find(remains)) {
          met.add(pid);
          send(pid, signal);
        }
      },
    },
    clock,
  );
  return met.size;
}

/** Living processes of the run. Never this one, though it may have been started by one of them. */
function find({ groups, scratch, folder }: Remains): ProcessEntry[] {
  const all = listProcesses().filter((entry) => entry.pid !== process.pid && isLiving(entry));
  const carriers = all.filter(({ pid }) => scratch.some((marker) => carriesMarker(pid, marker)) || printsInto(pid, folder));
  const members = new Set(carriers.map(({ group }) => group));
  const ours = new Set(groups.filter((leader) => isOurs(leader, members)).map(({ pid }) => pid));
  return [...new Set([...carriers, ...all.filter(({ group }) => ours.has(group))])];
}

/**
 * A group that was noted is the run's own while its leader is the very process that was noted. When the leader has gone, a group of
 * that number is believed only when a member carries the run's marks: the number may have been given anew.
 */
function isOurs({ pid, started }: ProcessMark, members: ReadonlySet<number>): boolean {
  const leader = readProcess(pid);
  return leader === null ? members.has(pid) : started !== null && leader.startTime === started;
}
