import { diffRuns, type RunDiff, type Side } from '../diff/diff.js';
import { type NoRun, openRun, type ReadableRun, type ReadSurroundings } from './open-run.js';

/** The runs themselves first, then every child run of theirs, one at a time. */
export type DiffResult = { readonly ok: true; readonly diffs: AsyncIterable<RunDiff> } | NoRun;

/** Lines of each output's own difference, at most. */
const LINES = 20;

/** Compares two runs stage by stage: verdicts, outputs, options, cost. Texts are as the runs hold them, not masked. */
export async function diff(a: string, b: string, surroundings: ReadSurroundings & { readonly lines?: number }): Promise<DiffResult> {
  const [ofA, ofB] = [await openRun(a, surroundings), await openRun(b, surroundings)];
  if (!ofA.ok) return ofA;
  if (!ofB.ok) return ofB;
  const { disk } = ofA.value;
  return { ok: true, diffs: diffRuns(sideOf(ofA.value), sideOf(ofB.value), { disk, lines: surroundings.lines ?? LINES }) };
}

function sideOf({ run, view, disk, alive }: ReadableRun): Side {
  return { run, view, children: { disk, alive } };
}
