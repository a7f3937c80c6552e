/** One thing that was looked at (I-11). A `problem` stands in the way of a run; a `note` is worth knowing. */
export interface Finding {
  readonly area: Area;
  /** What was looked at, in a word: `git`, `home`, `ANTHROPIC_API_KEY`. */
  readonly about: string;
  readonly verdict: 'ok' | 'note' | 'problem';
  /** What was found, a sentence or less. */
  readonly what: string;
  /** Why it matters. */
  readonly why?: string;
  /** The command that repairs it. */
  readonly fix?: string;
}

export const AREAS = ['machine', 'folder', 'home', 'config', 'models', 'network', 'surroundings'] as const;
export type Area = (typeof AREAS)[number];

/** Makes the findings of one area. */
export function findingsOf(area: Area) {
  const make =
    (verdict: Finding['verdict']) =>
    (about: string, what: string, more: Pick<Finding, 'why' | 'fix'> = {}): Finding => ({ area, about, verdict, what, ...more });
  return { ok: make('ok'), note: make('note'), problem: make('problem') };
}
