import type { RunView } from '@gated-flow/record';

/** Where a run of one stage keeps what the stage was given, in its own folder: it is whole without whatever that came from. */
export const GIVEN = 'given';

/** Whether a run is of one stage, on files that no stage before it had made. */
export function ranOnGiven({ stages }: Pick<RunView, 'stages'>): boolean {
  return stages.some(({ received }) => received.some(({ path }) => path.startsWith(`${GIVEN}/`)));
}
