import type { Command } from 'commander';
import type { Kept, Reading, RunView } from '@gated-flow/record';
import { escapeControls, type Redactor } from '@gated-flow/text';
import { createClock } from '../io/clock.js';
import { createDisk } from '../io/disk.js';
import { claims } from '../io/claims.js';
import { processes } from '../io/processes.js';
import { endRemains } from '../io/programs/remains.js';
import { homePath } from '../plan/home.js';
import type { Clock } from '../ports/clock.js';
import type { Disk } from '../ports/disk.js';
import type { Processes } from '../ports/processes.js';
import type { ChildPorts } from '../record/child-run.js';
import { findPlace, type Place } from '../record/find-place.js';
import { findRun, type OpenRun } from '../record/find-run.js';
import { damageOf, emptyRecord } from '../record/reading-sentence.js';
import { isAlive } from '../record/run-state.js';
import { sweepHome } from '../record/sweep.js';
import { readRun } from '../record/read-run.js';
import type { Io } from './command.js';
import { refusalText } from './refusals.js';

/** Exit codes of the commands that read (I-1). */
export const FOUND = 0;
export const NOTHING = 1;
export const MISUSE = 2;
export const DAMAGED = 5;

/** What a reading command works with. Nothing is made: a home that is absent stays absent. */
export interface Reader {
  readonly io: Io;
  /** Absolute; null when nothing says where the home is. */
  readonly home: string | null;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly redactor: Redactor;
  /** Redacted and safe for a terminal, to standard output. */
  print(text: string): Promise<void>;
  /** The same as a line on standard error. */
  say(text: string): void;
}

/** Opens the home for reading. A config that cannot be read refuses: it may say what has to be redacted (S-2). */
export async function withReader(command: Command, io: Io, read: (reader: Reader) => Promise<number>): Promise<number> {
  const disk = createDisk();
  const home = homePath(io, command.opts<{ home?: string }>().home);
  const config = await io.readConfig(home);
  if (!config.ok) {
    io.err(refusalText(config.refusals, { redactor: io.redactor, color: io.errColor, width: io.width }));
    return MISUSE;
  }
  const { redactor } = io;
  const clean = (text: string): string => escapeControls(redactor.text(text));
  const say = (text: string): void => io.err(`${clean(text)}\n`);
  const clock = createClock();
  await clearLeft(home, { disk, clock }, say);
  return read({
    ...{ io, home, disk, clock, processes, redactor },
    print: (text) => io.out(clean(text)),
    say,
  });
}

/** What killed runs left in a home goes, whatever the command is about (R-7, S-6). */
export async function clearLeft(home: string | null, { disk, clock }: Pick<Reader, 'disk' | 'clock'>, say: Reader['say']): Promise<void> {
  if (home !== null) await sweepHome(home, { disk, claims, processes, endRemains: (remains) => endRemains(remains, clock) }, say);
}

/** Finds the run that a word names, or says which run there is not. */
export function withRun(command: Command, io: Io, word: string, read: (run: OpenRun, reader: Reader) => Promise<number>): Promise<number> {
  return withReader(command, io, async (reader) => {
    const found = await findRun(word, { home: reader.home, cwd: io.cwd, disk: reader.disk });
    if (found.found === 'one') return read(found.run, reader);
    reader.say(found.message);
    return found.found === 'none' ? NOTHING : MISUSE;
  });
}

type UseView = (view: RunView, run: OpenRun, reader: Reader) => Promise<number>;

/** Folds the run's record; a damaged one is told on standard error after what could be read was used, and ends with 5. */
export function withView(command: Command, io: Io, word: string, use: UseView): Promise<number> {
  return withRun(command, io, word, (run, reader) => useView(run, reader, use));
}

/** The same of a run that was found. `keep`: what is needed of a stage that is over. */
export async function useView(run: OpenRun, reader: Reader, use: UseView, keep?: Kept): Promise<number> {
  const { view, reading } = await readRun(run.folder, keep);
  if (view === null && reading.state === 'incomplete') {
    reader.say(emptyRecord(run));
    return NOTHING;
  }
  const exit = view === null ? FOUND : await use(view, run, reader);
  return sayDamage(reading, run, reader) ? DAMAGED : exit;
}

/** Whether the record is damaged; says where. */
export function sayDamage(reading: Reading, run: OpenRun, reader: Reader): boolean {
  const damage = damageOf(reading, run);
  if (damage !== null) reader.say(damage);
  return damage !== null;
}

/** What a word names in the run, or says that there is no such thing. */
export async function withPlace(
  at: { readonly view: RunView; readonly run: OpenRun },
  word: string,
  reader: Reader,
  use: (place: Exclude<Place, { place: 'none' }>) => Promise<number>,
): Promise<number> {
  const place = await findPlace(word, at, await childPorts(at.run, reader));
  if (place.place !== 'none') return use(place);
  reader.say(place.message);
  return NOTHING;
}

/** The stage that a word names, all of its repeats; a container or a child run is none. */
export function withStages(
  at: { readonly view: RunView; readonly run: OpenRun },
  word: string,
  reader: Reader,
  use: (place: Place & { readonly place: 'stage' }) => Promise<number>,
): Promise<number> {
  return withPlace(at, word, reader, async (place) => {
    if (place.place === 'stage') return use(place);
    const stages = place.view.stages.map(({ stage }) => stage);
    const inside =
      place.place === 'run' ? stages.map((stage) => `${word}/${stage}`) : stages.filter((stage) => stage.startsWith(`${word}/`));
    const what = place.place === 'run' ? 'a child run' : `a ${place.node.type ?? 'container'}`;
    const names = [...new Set(inside)];
    const hint = names.length === 0 ? '' : ` Name one of its stages: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`;
    reader.say(`${word} is ${what}, not a stage.${hint}`);
    return NOTHING;
  });
}

/** The child run that a word names; without a word the run itself. */
export async function withChild(at: At, word: string | undefined, reader: Reader, use: (at: At) => Promise<number>): Promise<number> {
  if (word === undefined) return use(at);
  return withPlace(at, word, reader, async (place) => {
    if (place.place === 'run') return use(place);
    reader.say(`${word} is no child run. flow show ${at.run.word} tells them.`);
    return NOTHING;
  });
}

/** A run that was read. */
export interface At {
  readonly view: RunView;
  readonly run: OpenRun;
}

/** What reading the children of a run takes. */
export async function childPorts(run: OpenRun, reader: Reader): Promise<ChildPorts> {
  return { disk: reader.disk, alive: await isAlive(run.outermost, reader) };
}

/** A whole number from 1, as an option says it; null when it is none. */
export function countingNumber(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
