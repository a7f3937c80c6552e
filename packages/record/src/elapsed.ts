/** Milliseconds from one event's `ts` to a later one's. The clock of the machine may have been set back between them: then 0. */
export function elapsedBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}
