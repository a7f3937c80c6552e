export interface Ids {
  /** Lower-case hex digits from the system's generator. */
  hex(digits: number): string;
  /** In [0, 1), for jitter. */
  fraction(): number;
}
