/** What a past run gave a stage: the bytes of its record, which was proven as a whole before. */
import { join } from 'node:path';
import type { RunView, StageView } from '@gated-flow/record';
import type { Disk } from '../ports/disk.js';
import { childWord, readChild } from '../record/child-run.js';
import { findPlace } from '../record/find-place.js';
import type { OpenRun } from '../record/find-run.js';
import { runFile } from '../record/read-run.js';
import { type Donor, type RefusedDonor, refusedDonor } from '../run/donor/donor.js';
import type { Given } from '../stage/scope.js';

export interface Wanted {
  /** The flow's name, and the stage's path in it. */
  readonly flow: string;
  readonly stage: string;
  /** Where in the run the stage stands, when that is said: `06-map/j01/01-say`, `02-loop/01-pass@2`. */
  readonly at?: string;
}

export type FromRun = { readonly ok: true; readonly given: readonly Given[]; readonly word: string } | RefusedDonor;

/** The one place of the stage in the run or in its child runs; of several repeats the last. Rejects with a DiskError. */
export async function givenByRun(donor: Donor, wanted: Wanted, disk: Disk): Promise<FromRun> {
  const places = wanted.at === undefined ? await placesOf(donor, wanted, disk) : await placeAt(donor, wanted.at, disk);
  if (!Array.isArray(places)) return places;
  const [only, ...others] = places;
  if (only === undefined) return refusedDonor(absent(donor, wanted));
  if (others.length > 0) {
    const words = places.slice(0, 5).map(({ word }) => word);
    const more = places.length > words.length ? ', …' : '';
    return refusedDonor(`${donor.name} ran this stage in ${places.length} places. Say which with --at: ${words.join(', ')}${more}.`);
  }
  return take(donor, only, disk);
}

/** A stage that was found, how it is told from the run, and the run or child run that it is part of. */
interface Found {
  readonly view: StageView;
  readonly run: OpenRun;
  readonly word: string;
}

function outermost({ name, folder, word }: Donor): OpenRun {
  return { name, folder, word, within: [], outermost: folder };
}

async function placesOf(donor: Donor, { flow, stage }: Wanted, disk: Disk): Promise<Found[]> {
  const places: Found[] = [];
  const look = async (view: RunView, run: OpenRun): Promise<void> => {
    const last = view.flow === flow ? view.stages.findLast((one) => one.stage === stage) : undefined;
    if (last !== undefined) places.push({ view: last, run, word: [...run.within, stage].join('/') });
    for (const call of view.subflows) {
      const child = await readChild(run, call, { disk, alive: false });
      if (child.view !== null) await look(child.view, child.run);
    }
  };
  await look(donor.view, outermost(donor));
  return places;
}

async function placeAt(donor: Donor, word: string, disk: Disk): Promise<Found[] | RefusedDonor> {
  const { base, repeat } = splitRepeat(word);
  const place = await findPlace(base, { view: donor.view, run: outermost(donor) }, { disk, alive: false });
  if (place.place === 'none') return refusedDonor(place.message);
  if (place.place !== 'stage') return refusedDonor(`--at ${word} is no stage of ${donor.name}. Name a stage.`, `flow show ${donor.word}`);
  const view = place.stages.findLast((one) => repeat === null || (one.repeat ?? 1) === repeat);
  if (view === undefined) return refusedDonor(`${base} has no repeat ${repeat ?? 1} in ${donor.name}.`);
  return [{ view, run: place.run, word }];
}

function splitRepeat(word: string): { base: string; repeat: number | null } {
  const [, base, digits] = /^(.+)@([1-9]\d{0,8})$/.exec(word) ?? [];
  return base === undefined ? { base: word, repeat: null } : { base, repeat: Number(digits) };
}

async function take(donor: Donor, { view, run, word }: Found, disk: Disk): Promise<FromRun> {
  if (view.state === 'carried') {
    return refusedDonor(
      `${word} did not run in ${donor.name}: its output was carried over from ${view.from ?? 'another run'}. Name that run.`,
    );
  }
  const given: Given[] = [];
  for (const { name, path, sha256 } of view.received) {
    const file = await runFile(run.folder, path, disk);
    if (file === null)
      return refusedDonor(`${name}, which ${word} was given, is no longer at ${join(run.folder, path)}.`, `flow verify ${donor.word}`);
    given.push({ name, file, sha256 });
  }
  if (given.length > 0) return { ok: true, given, word };
  return refusedDonor(`${word} was given nothing in ${donor.name}.`);
}

function absent({ name, view }: Donor, { stage }: Wanted): string {
  const stages = [...new Set(view.stages.map((one) => one.stage))];
  const children = view.subflows.map((call) => childWord(call));
  const words = [...stages, ...children].slice(0, 10);
  if (words.length === 0) return `The run ${name} ended before its first stage began: it gave nothing to anybody.`;
  return `The run ${name} did not get to ${stage}. Name with --at what stood in its place: ${words.join(', ')}.`;
}
