/** From which step on a run would go otherwise than the one before it. Pure. */
import type { Step } from '@gated-flow/assembly';
import type { PlanRow } from '../plan/plan.js';
import type { Prepared } from '../plan/prepare.js';
import { partDifference } from '../run/resume/part.js';

/** What a run was made from. */
export interface Making {
  readonly prepared: Prepared;
  /** What stands beside the assembly's files and shapes a run's outputs: fixtures by their path in it, and the script. */
  readonly beside: ReadonlyMap<string, string>;
}

export interface FirstChanged {
  /** Counted from 0, in the root sequence; its length when only what came behind it was removed. */
  readonly index: number;
  /** The step, or that there is none any more. */
  readonly step: string;
}

/** Null when nothing that shapes the run is another. */
export function firstChanged(then: Making, now: Making): FirstChanged | null {
  const [before, after] = [then.prepared.plan, now.prepared.plan];
  if (before.flow === null || after.flow === null || before.whole === null || after.whole === null)
    return sameWhole(then, now) ? null : { index: 0, step: 'the assembly agent' };
  const { steps } = after.flow;
  const at = (index: number): FirstChanged => ({ index, step: steps[index]?.path ?? 'the end' });
  if (!sameAsked(then, now) || before.flow.path !== after.flow.path) return at(0);
  const placed = { then: { ...before, flow: before.whole }, now: { ...after, flow: after.whole } };
  const changed = steps.findIndex((step, index) => {
    const earlier = before.flow?.steps[index];
    if (earlier === undefined || earlier.path !== step.path || earlier.type !== step.type) return true;
    if (partDifference({ ...placed.then, step: earlier }, { ...placed.now, step }) !== null) return true;
    return optionsOf(before.rows, earlier) !== optionsOf(after.rows, step) || fixturesOf(then, earlier) !== fixturesOf(now, step);
  });
  if (changed !== -1) return at(changed);
  return before.flow.steps.length > steps.length ? at(steps.length) : null;
}

function sameWhole(then: Making, now: Making): boolean {
  const { assembly: before, rows } = then.prepared.plan;
  const { assembly: after, rows: nowRows } = now.prepared.plan;
  if (before.hash !== after.hash || !sameAsked(then, now) || rows.length !== nowRows.length) return false;
  return (
    JSON.stringify(rows.map(({ options }) => options)) === JSON.stringify(nowRows.map(({ options }) => options)) &&
    sameBeside(then, now, () => true)
  );
}

/** The request, the slots, the working tree and the script. */
function sameAsked(then: Making, now: Making): boolean {
  const [before, after] = [then.prepared, now.prepared];
  return (
    Buffer.compare(before.request.bytes, after.request.bytes) === 0 &&
    before.request.extension === after.request.extension &&
    before.workdir === after.workdir &&
    JSON.stringify(Object.entries(before.slots)) === JSON.stringify(Object.entries(after.slots)) &&
    sameBeside(then, now, (path) => path.startsWith('/'))
  );
}

function sameBeside(then: Making, now: Making, counts: (path: string) => boolean): boolean {
  const spell = ({ beside }: Making): string => JSON.stringify([...beside].filter(([path]) => counts(path)).sort());
  return spell(then) === spell(now);
}

function fixturesOf({ beside }: Making, { entry }: Step): string {
  const inside = entry === '.' ? '' : `${entry}/`;
  return JSON.stringify([...beside].filter(([path]) => !path.startsWith('/') && path.startsWith(inside)).sort());
}

/** The values that hold in a step and in all that stands in it, whichever rung they come from. */
function optionsOf(rows: readonly PlanRow[], { path }: Step): string {
  const inside = rows.filter(({ stage }) => stage === path || stage.startsWith(`${path}/`));
  return JSON.stringify(
    inside.map(({ stage, options }) => [stage, Object.entries<Valued>({ ...options }).map(([key, { value }]) => [key, value])]),
  );
}

interface Valued {
  readonly value: unknown;
}
