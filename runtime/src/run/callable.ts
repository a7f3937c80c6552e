import type { Flow } from '@gated-flow/assembly';

/** Calls in one chain, at most (G-7). */
const CHAIN = 10;

/**
 * Which of the flows in scope may still be called by a run whose flow is the last of `chain`, the outermost first: none at the end of
 * a chain, and no DESCEND as often as its author wrote (G-7, G-8).
 */
export function callable(inScope: readonly Flow[], chain: readonly Flow[]): readonly Flow[] {
  if (chain.length > CHAIN) return [];
  const depthOf = (flow: Flow): number => chain.filter(({ path }) => path === flow.path).length;
  return inScope.filter((flow) => flow.maxDepth === undefined || depthOf(flow) < flow.maxDepth);
}
