import type { Decision } from '../events.js';

export const PACK_NAMES = ['destructive', 'install', 'network', 'privilege', 'credentials', 'history'] as const;
export type PackName = (typeof PACK_NAMES)[number];

/** A rule of a pack, in the words of a contract's own rules. What it does not say, its pack does. */
export interface PackRule {
  readonly id: string;
  /** What an agent is told that it fits: `npm install`. Absent: the agent is told nothing of it. */
  readonly told?: string;
  readonly tool?: string;
  readonly program?: string;
  readonly args?: string;
  readonly path?: string;
  readonly text?: string;
  readonly decision?: Decision;
  readonly reason: string;
  readonly target?: string;
  readonly scope?: string;
  readonly risks?: string;
  readonly recovery?: string;
}

/** A named list of rules (V-2). */
export interface Pack {
  readonly name: PackName;
  /** What it is about, in a few words. */
  readonly about: string;
  /** Of the rules that do not say. */
  readonly decision: Decision;
  readonly target: string;
  readonly scope: string;
  readonly risks: string;
  readonly recovery: string;
  readonly rules: readonly PackRule[];
}
