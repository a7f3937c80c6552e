/** One run after another, each from the first step that changed. */
import type { Fact } from '@gated-flow/record';
import type { Machines } from '../../io/machines.js';
import { DiskError } from '../../ports/disk.js';
import { type Called, performCall, type RunCall, type RunWorld } from '../../run/call.js';
import { openDonor } from '../../run/donor/open-donor.js';
import { calledStages } from '../../run/resume/called-stages.js';
import { planResume } from '../../run/resume/plan.js';
import { firstChanged, type Making } from '../../watch/first-changed.js';
import type { StartedRun } from '../../watch/watch.js';
import type { Io } from '../command.js';
import { present } from '../run/present.js';
import { refuse } from '../run/refuse.js';
import { type RunWatch, watchRun } from '../run/watch.js';
import { modelWords, type RunWords } from '../run/words.js';

export interface Starting {
  readonly io: Io;
  readonly words: RunWords;
  readonly machines: Machines;
  readonly calm: RunWorld['calm'];
  /** Ends whatever runs; by its reason when that is a signal. */
  readonly stop: AbortSignal;
  say(line: string): void;
}

/** The run before, and what it was made from. */
interface Before {
  readonly folder: string;
  readonly making: Making;
}

type Continuing = NonNullable<RunCall['continuing']>;

export function runStarter(starting: Starting): (making: Making) => StartedRun {
  let before: Before | null = null;
  return (making) => {
    const controller = new AbortController();
    const passOn = (): void => controller.abort(starting.stop.reason);
    if (starting.stop.aborted) passOn();
    else starting.stop.addEventListener('abort', passOn);
    const steps = followSteps(making, () => controller.abort());
    const ended = perform(starting, { making, before, signal: controller.signal, onFact: steps.onFact })
      .then(async (called) => {
        if (called === null) return;
        if (called.ok) before = { folder: called.outcome.folder, making };
        await conclude(called, steps.superseded(), starting);
      })
      .catch((error: unknown) => {
        if (!(error instanceof DiskError)) throw error;
        starting.say(`The file system refused: ${error.message}. No run was begun.`);
      })
      .finally(() => starting.stop.removeEventListener('abort', passOn));
    return { ended, ...steps };
  };
}

/** Where in the root sequence a run is, and where it is to stop. */
function followSteps({ prepared }: Making, abort: () => void) {
  const steps = prepared.plan.flow?.steps ?? [];
  let reached = -1;
  let limit: number | null = null;
  let superseded = false;
  const stop = (): void => {
    superseded = true;
    abort();
  };
  return {
    stop,
    reached: () => reached,
    superseded: () => superseded,
    stopBefore: (index: number | null) => void (limit = index),
    onFact({ event, stage }: Fact, child: string | null): void {
      if (child !== null || stage === undefined || event === 'stage_carried') return;
      const index = steps.findIndex(({ path }) => stage === path || stage.startsWith(`${path}/`));
      // The assembly agent's work is one step.
      reached = Math.max(reached, index, 0);
      if (limit !== null && index >= limit) stop();
    },
  };
}

interface Performing {
  readonly making: Making;
  readonly before: Before | null;
  readonly signal: AbortSignal;
  onFact(fact: Fact, child: string | null): void;
}

/** Null when it was stopped before it began. */
async function perform(starting: Starting, { making, before, signal, onFact }: Performing): Promise<Called<RunWatch> | null> {
  const { io, words, machines, calm } = starting;
  const continuing = before === null ? null : await continueFrom(before, making, starting);
  if (signal.aborted) return null;
  const opened: { dispose(): void }[] = [];
  const world: RunWorld = {
    ...{ cwd: io.cwd, calm },
    machine() {
      const machine = machines.open(signal);
      opened.push(machine);
      return machine;
    },
  };
  return performCall(
    making.prepared,
    {
      models: modelWords(words),
      wishes: words,
      ...(continuing === null ? {} : { continuing }),
      async watch(prepared, source) {
        const { quiet = false, verbose = false } = words;
        const watch = await watchRun({ io, quiet, verbose, clock: calm.clock, prepared, source });
        return {
          ...watch,
          onFact(fact, child) {
            watch.onFact?.(fact, child);
            onFact(fact, child);
          },
        };
      },
    },
    world,
  ).finally(() => opened.forEach((machine) => machine.dispose()));
}

/** The first steps of the run before, as far as they are settled and nothing that shapes them has changed (G-11). Null when there are none. */
async function continueFrom({ folder, making: then }: Before, making: Making, { io, calm, say }: Starting): Promise<Continuing | null> {
  const first = firstChanged(then, making);
  if (first?.index === 0) return null;
  const opened = await openDonor(folder, { home: making.prepared.home, cwd: io.cwd, ...calm });
  if (!opened.ok) {
    say(`${folder} is not what it was: everything runs again.`);
    return null;
  }
  const { donor } = opened;
  const planned = planResume(donor, await calledStages(donor.folder, donor.view), making.prepared, { options: {} });
  if (!planned.ok) return null;
  const carried = planned.plan.carried.slice(0, first?.index);
  if (carried.length === 0) return null;
  say(`Carried over from ${donor.name}: ${carried.map(({ entry }) => entry).join(', ')}.`);
  return { continuedFrom: donor.name, carried };
}

/** What is over because of a change is told in a line: its successor follows. */
async function conclude(called: Called<RunWatch>, superseded: boolean, { io, words, say }: Starting): Promise<void> {
  if (!called.ok) await refuse(called.refusals, { words: {}, io });
  else if (superseded && called.outcome.ending.cause === 'signal') say(`Stopped. flow show ${called.outcome.run} shows how far it got.`);
  else await present(called, { words: { ...words, json: false }, io });
}
