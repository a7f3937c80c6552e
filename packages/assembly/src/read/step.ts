import { nameOf, pathIn } from '../snapshot.js';
import type { Step } from '../tree.js';
import { readChoose } from './choose.js';
import { readFanout } from './fanout.js';
import { readLoop } from './loop.js';
import type { StepSentinel } from './names.js';
import { STEP_SENTINELS, posesAsSentinel } from './names.js';
import { readParallel } from './parallel.js';
import type { Reading } from './reading.js';
import { oneOf, soundChildren } from './reading.js';
import type { Spot } from './spot.js';
import { emptyStage } from './empty-stage.js';
import { readStage, readStageFile } from './stage.js';
import { refuseSentinel } from './strays.js';

const READERS: Readonly<Record<StepSentinel, (reading: Reading, spot: Spot) => Step>> = {
  'STAGE.md': readStage,
  'LOOP.md': readLoop,
  'CHOOSE.md': readChoose,
  'PARALLEL.md': readParallel,
  'FANOUT.md': readFanout,
};

/** Reads a file or a folder that stands where a step may stand. Its one sentinel says what it is. */
export function readStep(reading: Reading, spot: Spot): Step {
  if (spot.kind === 'file') return readStageFile(reading, spot);
  const [sentinel, second] = STEP_SENTINELS.filter((name) => mayBeFile(reading, pathIn(spot.entry, name)));
  if (sentinel !== undefined && second === undefined) return READERS[sentinel](reading, spot);
  if (sentinel !== undefined && second !== undefined) refuseTwo(reading, spot, sentinel, second);
  else refuseNone(reading, spot);
  return emptyStage(spot, pathIn(spot.entry, 'STAGE.md'));
}

/** A folder says nothing of the folder it stands in. A link in a sentinel's place is refused as what it is. */
function mayBeFile(reading: Reading, path: string): boolean {
  const entry = reading.snapshot.entries.get(path);
  return entry !== undefined && entry.kind !== 'folder';
}

function refuseTwo(reading: Reading, spot: Spot, first: string, second: string): void {
  reading.refuse(
    'sentinel-duplicate',
    spot.entry,
    `The folder holds both ${first} and ${second}, and it can be only one of them. Keep the one you mean.`,
  );
}

function refuseNone(reading: Reading, spot: Spot): void {
  const posing = soundChildren(reading.snapshot, spot.entry).filter(
    (entry) => entry.kind === 'file' && posesAsSentinel(nameOf(entry.path)) && nameOf(entry.path) !== 'README.md',
  );
  for (const entry of posing) refuseSentinel(reading, entry, STEP_SENTINELS);
  if (posing.length === 0) {
    reading.refuse(
      'sentinel-missing',
      spot.entry,
      `Nothing says what this folder is: it holds none of ${oneOf(STEP_SENTINELS)}. For a stage, add STAGE.md with the instructions.`,
    );
  }
}
