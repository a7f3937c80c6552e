/** A file of the run tree. `path` is relative to the run's folder, `/`-separated. */
export interface SealedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}
