/** What happens between two events of the record: for progress only, never for a decision. */
export type Activity =
  | { readonly activity: 'model'; readonly stage: string; readonly attempt: number }
  | { readonly activity: 'tool'; readonly stage: string; readonly attempt: number; readonly tool: string }
  | { readonly activity: 'check'; readonly stage: string; readonly attempt: number; readonly check: string }
  | { readonly activity: 'sent-back'; readonly stage: string; readonly attempt: number; readonly check: string; readonly reason: string }
  | { readonly activity: 'hook'; readonly stage: string; readonly hook: string }
  /** The stage's agent works, and why no work of an earlier run stands in for it (G-12); half a sentence. */
  | { readonly activity: 'not-reused'; readonly stage: string; readonly why: string }
  /** Machinery failed; the stage ends as a fault. The error itself is for the log. */
  | { readonly activity: 'broken'; readonly error: unknown };
