import type { TreeFile } from '../disk.js';

/** What is known of a file beside its path. */
export type FileFacts = Pick<TreeFile, 'sha256' | 'bytes' | 'executable' | 'lines'>;

/** Files by their paths, hundreds of thousands of them: a path each and a row in columns, a quarter of what objects take. */
export interface FileTable {
  add(file: TreeFile): void;
  readonly size: number;
  /** Below `size`, of no other path. */
  row(path: string): number | undefined;
  file(path: string): FileFacts | undefined;
  sha256(path: string): string | undefined;
  paths(): Iterable<string>;
  /** Paths that begin with a folder's, which ends with no slash. */
  below(folder: string): readonly string[];
}

const HASH = 32;

export function createFileTable(): FileTable {
  const rows = new Map<string, number>();
  const bytes: number[] = [];
  const lines: (number | null)[] = [];
  const executables = new Set<number>();
  let hashes = Buffer.alloc(64 * HASH);
  let sorted: string[] = [];

  const hashOf = (row: number): string => hashes.toString('hex', row * HASH, (row + 1) * HASH);
  const first = (text: string): number => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((sorted[middle] ?? '') < text) from = middle + 1;
      else to = middle;
    }
    return from;
  };

  return {
    add(file) {
      const row = rows.size;
      if (hashes.length === row * HASH) hashes = Buffer.concat([hashes], 2 * hashes.length);
      hashes.write(file.sha256, row * HASH, 'hex');
      bytes.push(file.bytes);
      lines.push(file.lines);
      if (file.executable) executables.add(row);
      rows.set(flat(file.path), row);
    },
    get size() {
      return rows.size;
    },
    row: (path) => rows.get(path),
    file(path) {
      const row = rows.get(path);
      if (row === undefined) return undefined;
      const [size = 0, counted = null] = [bytes[row], lines[row]];
      return { sha256: hashOf(row), bytes: size, executable: executables.has(row), lines: counted };
    },
    sha256(path) {
      const row = rows.get(path);
      return row === undefined ? undefined : hashOf(row);
    },
    paths: () => rows.keys(),
    below(folder) {
      if (sorted.length !== rows.size) sorted = [...rows.keys()].sort();
      return sorted.slice(first(`${folder}/`), first(`${folder}${AFTER_SLASH}`));
    },
  };
}

const AFTER_SLASH = String.fromCharCode('/'.charCodeAt(0) + 1);

/** A text that was put together holds on to its parts; a copy does not. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}
