import { createHash } from 'node:crypto';

/** Whole numbers from 0 up to, not including, `below`; the same seed gives the same row of them. */
export type Random = (below: number) => number;

export function seededRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
