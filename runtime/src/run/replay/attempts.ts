/** What an earlier run recorded of its attempts, as far as they can be judged again (M-7). */
import { join } from 'node:path';
import type { Stage } from '@gated-flow/assembly';
import { attemptFolder, readRecord, RECORD, type RoundView, type StageView } from '@gated-flow/record';
import type { Mark } from '../../agent/control/control.js';
import type { Disk } from '../../ports/disk.js';
import { runFile } from '../../record/read-run.js';
import { thenVerdict, type ThenVerdict } from './then.js';

export interface Attempt {
  readonly attempt: number;
  readonly then: ThenVerdict;
  /** Item → the mark that counted when the attempt was judged. */
  readonly marks: ReadonlyMap<number, Mark>;
  /** Absolute path of what it had written; null when it had written nothing. */
  readonly output: string | null;
  /** Half a sentence: why it cannot be judged again. */
  readonly lost?: string;
}

export interface Marked {
  readonly retry: number;
  readonly item: number;
  readonly mark: Mark;
}

/** Every mark of a run by stage and repeat, in the order in which they were set. Streams the record. */
export async function readMarks(folder: string): Promise<ReadonlyMap<string, readonly Marked[]>> {
  const marks = new Map<string, Marked[]>();
  for await (const lines of readRecord(join(folder, RECORD)).pieces) {
    for (const { event } of lines) {
      if (event?.event !== 'tool_call' || event.item === undefined || event.stage === undefined) continue;
      const { decision: state, item, retry = 1, evidence = '' } = event;
      if (state !== 'done' && state !== 'skipped') continue;
      const key = stageKey(event.stage, event.repeat);
      const known = marks.get(key) ?? [];
      known.push({ retry, item, mark: { state, evidence } });
      marks.set(key, known);
    }
  }
  return marks;
}

export function stageKey(stage: string, repeat: number | undefined): string {
  return `${stage}\0${repeat ?? 0}`;
}

export interface Recorded {
  /** The donor's folder. */
  readonly folder: string;
  readonly view: StageView;
  /** The stage as it was then. */
  readonly stage: Stage | undefined;
  readonly marks: readonly Marked[];
}

type Ports = Pick<Disk, 'real' | 'look' | 'list'>;

/** The attempts of a stage that were judged at all, in their order. */
export function attemptsOf(recorded: Recorded, disk: Ports): Promise<readonly Attempt[]> {
  const judged = recorded.view.rounds.filter(({ checks }) => checks.length > 0);
  return Promise.all(judged.map((round) => attemptOf(round, recorded, disk)));
}

async function attemptOf(round: RoundView, { folder, view, stage, marks }: Recorded, disk: Ports): Promise<Attempt> {
  const attempt = round.round;
  const output = await outputOf(folder, attemptFolder(view.stage, view.repeat, attempt), disk);
  const written = round.checks.some(({ check, passed }) => check === 'output' && passed);
  return {
    attempt,
    then: thenVerdict(round, view, stage),
    marks: new Map(marks.filter(({ retry }) => retry <= attempt).map(({ item, mark }) => [item, mark])),
    output,
    ...(output === null && written ? { lost: 'the run died before it had kept what was written' } : {}),
  };
}

/** The output file of an attempt, whatever its extension. */
async function outputOf(folder: string, place: string, disk: Ports): Promise<string | null> {
  if ((await disk.look(join(folder, place)))?.kind !== 'folder') return null;
  const name = (await disk.list(join(folder, place))).find((one) => /^output\.[^.]+$/.test(one));
  return name === undefined ? null : runFile(folder, `${place}/${name}`, disk);
}
