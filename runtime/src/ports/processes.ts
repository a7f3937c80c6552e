/** A process told apart from a later one with the same number. `started` and `boot` are null where the system does not tell. */
export interface ProcessMark {
  readonly pid: number;
  /** Ticks between boot and the start of the process, as the system writes them. */
  readonly started: string | null;
  /** Names the boot of the machine. */
  readonly boot: string | null;
}

/** Where process numbers mean what they mean: another machine has its own, and so has a container. */
export interface ProcessPlace {
  /** Names the machine, also after it was started anew. */
  readonly host: string;
  /** Names the set of process numbers that this process sees; null where the system has one only. */
  readonly space: string | null;
}

export interface Processes {
  self(): ProcessMark;
  place(): ProcessPlace;
  /** The mark of a living process, or null when there is none with this number. */
  mark(pid: number): ProcessMark | null;
  /** Whether the very process that was marked still lives. A process that ended but was not waited for does not. */
  alive(mark: ProcessMark): boolean;
}
