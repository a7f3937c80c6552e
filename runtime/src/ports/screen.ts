/** A terminal of which the last lines are painted anew. What is handed in must be safe for a terminal. */
export interface Screen {
  /** Replaces the painted lines. */
  paint(lines: readonly string[]): void;
  /** Lines that stay, above what is painted. */
  print(lines: readonly string[]): void;
  /** Takes the painted lines away and gives the cursor back. */
  close(): void;
  readonly columns: number;
  readonly rows: number;
}
