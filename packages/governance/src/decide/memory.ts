import { posix } from 'node:path';
import type { Lane, MemoryPolicy } from '../contract/contract.js';
import type { MemoryEvent, RuleHit } from '../events.js';

/** What lies in no lane is not memory. `cross_reference_allowed` lets another lane's index be read, and nothing else (V-7). */
export type MemoryDecision = 'allow' | 'cross_reference_allowed' | 'deny';

export interface MemoryVerdict {
  readonly decision: MemoryDecision;
  readonly hits: readonly RuleHit[];
}

const STRICTNESS: readonly MemoryDecision[] = ['allow', 'cross_reference_allowed', 'deny'];

/** The strictest of what each policy says. */
export function decideMemory(policies: readonly MemoryPolicy[], event: MemoryEvent): MemoryVerdict {
  const verdicts = policies.map((policy) => judge(policy, event));
  const decision = STRICTNESS[Math.max(0, ...verdicts.map((verdict) => STRICTNESS.indexOf(verdict.decision)))] ?? 'deny';
  return { decision, hits: verdicts.flatMap(({ hits }) => hits) };
}

/** Whether a path belongs to memory, so that the event has to be decided. */
export function isMemory(policies: readonly MemoryPolicy[], paths: readonly string[]): boolean {
  return policies.some((policy) => holdingLanes(policy, paths).length > 0);
}

/** The index file among the paths, as the contract spells it: what `indexesRead` collects. */
export function indexOf(policies: readonly MemoryPolicy[], paths: readonly string[]): string | null {
  for (const { lanes } of policies) {
    const found = lanes.find((lane) => isIndex(lane, paths));
    if (found?.index) return found.index.path;
  }
  return null;
}

function judge(policy: MemoryPolicy, event: MemoryEvent): MemoryVerdict {
  const holding = holdingLanes(policy, event.paths);
  if (holding.length === 0) return { decision: 'allow', hits: [] };
  const own = event.lane ?? policy.lane;
  const others = holding.filter(({ name }) => name !== own);
  const [other] = others;
  const shown = event.paths[0] ?? '';
  if (other) {
    const isCross = event.operation === 'read' && others.every((lane) => isIndex(lane, event.paths));
    if (isCross) return { decision: 'cross_reference_allowed', hits: [] };
    return denied(
      'lanes',
      shown,
      `It lies in the lane "${other.name}", ${own === null ? 'and the run has no lane' : `and the run's lane is "${own}"`}.`,
    );
  }
  const [lane] = holding;
  const unread =
    policy.metaFirst && lane?.index && !isIndex(lane, event.paths) && !event.indexesRead.some((path) => sameFile(path, lane.index?.path));
  return unread && lane.index
    ? denied('meta_first', shown, `Read ${lane.index.path} first: it says what is here.`)
    : { decision: 'allow', hits: [] };
}

function denied(id: string, matched: string, reason: string): MemoryVerdict {
  return { decision: 'deny', hits: [{ id: `memory/${id}`, decision: 'deny', reason, matched }] };
}

/** Every lane one of the names lies in: a path that is in two lanes has to be allowed by both. */
function holdingLanes({ lanes }: MemoryPolicy, paths: readonly string[]): readonly Lane[] {
  return lanes.filter((lane) => isIndex(lane, paths) || paths.some((path) => lane.paths.some((glob) => glob.fits(path))));
}

function isIndex({ index }: Lane, paths: readonly string[]): boolean {
  return index !== null && paths.some((path) => index.glob.fits(path));
}

function sameFile(a: string, b: string | undefined): boolean {
  return b !== undefined && posix.normalize(a) === posix.normalize(b);
}
