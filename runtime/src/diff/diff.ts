/** Two runs side by side: the runs themselves, their stages and outputs, then every child run of theirs. One pair of children is held at a time. */
import type { RunView, StageView, SubflowView } from '@gated-flow/record';
import type { Disk } from '../ports/disk.js';
import { type ChildPorts, type ChildRun, childWord, readChild } from '../record/child-run.js';
import type { OpenRun } from '../record/find-run.js';
import {
  containerDifferences,
  type Difference,
  endingOf,
  placeOf,
  runDifferences,
  stageDifferences,
  usageOf,
  verdictOf,
} from './compare.js';
import { type OutputDifference, outputDifference, outputOf } from './outputs.js';
import { pairStages } from './pair.js';

export interface Side {
  readonly run: OpenRun;
  readonly view: RunView;
  readonly children: ChildPorts;
}

/** What one run has of a stage. */
export interface StageSide {
  readonly place: string;
  readonly verdict: string;
  readonly rounds: number;
  readonly usage: string;
  readonly output: { readonly path: string; readonly sha256: string; readonly bytes: number } | null;
}

export interface StageDiff {
  /** The path in the flow, that of the first run where both have it; in a child run behind the child's words. */
  readonly place: string;
  readonly a: StageSide | null;
  readonly b: StageSide | null;
  readonly same: boolean;
  readonly differences: readonly Difference[];
  readonly output: OutputDifference;
}

/** One run or child run against its counterpart. */
export interface RunDiff {
  /** Empty for the runs themselves, else the child's words: `06-map/j01`. */
  readonly place: string;
  /** Which of the two has it; null when both do. */
  readonly only: 'a' | 'b' | null;
  readonly same: boolean;
  readonly differences: readonly Difference[];
  readonly stages: readonly StageDiff[];
  /** What is not as its record says, in sentences. */
  readonly damage: readonly string[];
}

export interface DiffPorts {
  readonly disk: Disk;
  /** Lines of each output's diff at most. */
  readonly lines: number;
}

/** The runs, then their children, each before its own. Rejects with a DiskError. */
export async function* diffRuns(a: Side, b: Side, ports: DiffPorts, place = ''): AsyncGenerator<RunDiff> {
  yield await diffRun(a, b, ports, place);
  for (const [word, [callA, callB]] of pairCalls(a.view.subflows, b.view.subflows)) {
    const inner = place === '' ? word : `${place}/${word}`;
    const [childA, childB] = [callA && (await readChild(a.run, callA, a.children)), callB && (await readChild(b.run, callB, b.children))];
    const damage = [...damageOf(childA, inner, 'A'), ...damageOf(childB, inner, 'B')];
    if (childA?.view && childB?.view) {
      const [first, ...rest] = [
        { ...childA, view: childA.view },
        { ...childB, view: childB.view },
      ].map(({ run, view }, index) => ({
        run,
        view,
        children: (index === 0 ? a : b).children,
      }));
      const [second] = rest;
      if (first === undefined || second === undefined) continue;
      for await (const one of diffRuns(first, second, ports, inner))
        yield one.place === inner && damage.length > 0 ? { ...one, same: false, damage: [...damage, ...one.damage] } : one;
    } else yield oneSided(inner, childA ?? null, childB ?? null, damage);
  }
}

async function diffRun(a: Side, b: Side, { disk, lines }: DiffPorts, place: string): Promise<RunDiff> {
  const stages: StageDiff[] = [];
  const damage: string[] = [];
  for (const pair of pairStages(a.view.stages, b.view.stages)) {
    const stage = pair.a ?? pair.b;
    if (stage === null) continue;
    const name = place === '' ? placeOf(stage) : `${place}/${placeOf(stage)}`;
    const both = pair.a !== null && pair.b !== null;
    const differences = both && pair.a && pair.b ? stageDifferences(pair.a, pair.b) : [];
    const output: OutputDifference =
      pair.a && pair.b
        ? await outputDifference({ a: { stage: pair.a, run: a.run }, b: { stage: pair.b, run: b.run } }, disk, lines)
        : { kind: 'one-sided' };
    if (output.kind === 'altered') damage.push(`${output.path} is missing or was altered: its hash is not the one that the record says.`);
    const same = both && differences.length === 0 && (output.kind === 'same' || output.kind === 'none');
    stages.push({ place: name, a: sideOf(pair.a), b: sideOf(pair.b), same, differences, output });
  }
  const differences = [...runDifferences(a.view, b.view), ...containerDifferences(a.view.containers, b.view.containers)];
  const same = differences.length === 0 && damage.length === 0 && stages.every((stage) => stage.same);
  return { place, only: null, same, differences, stages, damage };
}

function sideOf(stage: StageView | null): StageSide | null {
  if (stage === null) return null;
  const output = outputOf(stage);
  const rounds = stage.rounds.filter(({ round }) => round > 0).length;
  return { place: placeOf(stage), verdict: verdictOf(stage), rounds, usage: usageOf(stage.usage), output };
}

function oneSided(place: string, a: ChildRun | null, b: ChildRun | null, damage: readonly string[]): RunDiff {
  const told = (child: ChildRun | null): string | null =>
    child === null ? null : child.view === null ? child.state : endingOf(child.view);
  const only = a === null ? 'b' : b === null ? 'a' : null;
  return { place, only, same: false, differences: [{ field: 'ending', a: told(a), b: told(b) }], stages: [], damage };
}

function damageOf(child: ChildRun | null | undefined, place: string, side: string): readonly string[] {
  return child?.state === 'damaged' ? [`The record of the child run ${place} of ${side} is damaged or was altered.`] : [];
}

type Calls = readonly [SubflowView | null, SubflowView | null];

/** By the words that name a child, and the caller's attempt. */
function pairCalls(ofA: readonly SubflowView[], ofB: readonly SubflowView[]): ReadonlyMap<string, Calls> {
  const wordOf = (call: SubflowView): string =>
    `${childWord(call)}${call.retry !== undefined && call.retry > 1 ? ` (round ${call.retry})` : ''}`;
  const pairs = new Map<string, Calls>(ofA.map((call) => [wordOf(call), [call, null]]));
  for (const call of ofB) pairs.set(wordOf(call), [pairs.get(wordOf(call))?.[0] ?? null, call]);
  return pairs;
}
