import type { RunView } from '@gated-flow/record';

/** Where a run of one stage keeps what the stage was given, in its own folder: it is whole without whatever that came from. */
export const GIVEN = 'given';

/** How the record names files that came from no run. */
export const FROM_FILES = 'files';

/** Whether a run is of one stage, on files that no stage before it had made. */
export function ranOnGiven({ asked }: Pick<RunView, 'asked'>): boolean {
  return asked?.given !== undefined;
}
