import { join } from 'node:path';
import { glanceAt } from '@gated-flow/record';
import type { HomeFacts } from '../../doctor/home.js';
import type { Clock } from '../../ports/clock.js';
import { runNames, type Search } from '../../record/find-run.js';
import { type LockPorts, runState } from '../../record/run-state.js';

/** Looking through a home takes no longer, however many runs it has. */
const LOOK_MS = 2000;

/** Counts the runs that read as crashed, the newest first; null when the home cannot be read. */
export async function countCrashed(
  search: Search,
  ports: LockPorts & { readonly clock: Clock },
): Promise<(NonNullable<HomeFacts['crashed']> & { readonly runs: number }) | null> {
  const until = ports.clock.elapsed() + LOOK_MS;
  try {
    const names = [...(await runNames(search))].reverse();
    let [count, looked] = [0, 0];
    for (const name of names) {
      if (ports.clock.elapsed() > until) break;
      const folder = join(search.home ?? '', 'runs', name);
      const glance = await glanceAt(folder);
      const cause = glance?.last?.event === 'run_end' ? glance.last.cause : null;
      if (glance !== null && (await runState(folder, cause, ports)) === 'crashed') count += 1;
      looked += 1;
    }
    return { count, looked, whole: looked === names.length, runs: names.length };
  } catch {
    return null;
  }
}
