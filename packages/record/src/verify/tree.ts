import type { TreeEntry, TreeFile } from '../disk.js';
import { readTree } from '../disk.js';
import { RECORD } from '../layout.js';
import type { FileFacts, FileTable } from './file-table.js';
import { createFileTable } from './file-table.js';

/** The files of a run but its record, by their paths in its folder; those of its child runs are among them. */
export interface Tree {
  readonly size: number;
  has(path: string): boolean;
  file(path: string): FileFacts | undefined;
  sha256(path: string): string | undefined;
  paths(): Iterable<string>;
  /** For ticking off files: none is ticked off yet. */
  checklist(): Checklist;
  /** That of a child run, whose record is in this one: every file is read once, however deep it stands. */
  within(folder: string): Tree;
}

export interface Checklist {
  /** What is not in the tree is passed over. */
  tick(path: string): void;
  left(): Iterable<string>;
}

/** What a run never leaves behind. */
export type Strange = Exclude<TreeEntry, TreeFile>;

/** Reads all that stands below a folder, and what should not stand there. */
export async function readWholeTree(folder: string): Promise<{ readonly tree: Tree; readonly strange: readonly Strange[] }> {
  const table = createFileTable();
  const strange: Strange[] = [];
  for await (const entry of readTree(folder, new Set([RECORD]))) {
    if (entry.kind === 'file') table.add(entry);
    else strange.push(entry);
  }
  return { tree: treeOf(table, { prefix: '', size: table.size, paths: () => table.paths() }), strange };
}

interface Part {
  /** Before every path. */
  readonly prefix: string;
  readonly size: number;
  paths(): Iterable<string>;
}

function treeOf(table: FileTable, { prefix, size, paths }: Part): Tree {
  return {
    size,
    has: (path) => table.row(prefix + path) !== undefined,
    file: (path) => table.file(prefix + path),
    sha256: (path) => table.sha256(prefix + path),
    paths,
    checklist: () => checklistOf(table, { prefix, paths }),
    within(folder) {
      const below = table.below(prefix + folder);
      const start = prefix.length + folder.length + 1;
      const paths = (): string[] => below.map((path) => path.slice(start)).filter((path) => path !== RECORD);
      return treeOf(table, { prefix: `${prefix}${folder}/`, size: below.length - 1, paths });
    },
  };
}

function checklistOf(table: FileTable, { prefix, paths }: Omit<Part, 'size'>): Checklist {
  const ticked = new Uint8Array(table.size);
  const rowOf = (path: string): number | undefined => table.row(prefix + path);
  return {
    tick(path) {
      const row = rowOf(path);
      if (row !== undefined) ticked[row] = 1;
    },
    *left() {
      for (const path of paths()) if (ticked[rowOf(path) ?? 0] === 0) yield path;
    },
  };
}
