import type { TreeEntry, TreeFile } from '../disk.js';
import { readTree } from '../disk.js';

/** The files of a run, by their paths. */
export interface Tree {
  readonly size: number;
  has(path: string): boolean;
  file(path: string): TreeFile | undefined;
  sha256(path: string): string | undefined;
  paths(): Iterable<string>;
  files(): Iterable<TreeFile>;
}

/** Reads all that stands below a folder, and what should not stand there. */
export async function readWholeTree(
  folder: string,
  leftOut: ReadonlySet<string>,
): Promise<{ readonly tree: Tree; readonly strange: readonly Exclude<TreeEntry, TreeFile>[] }> {
  const packed = new Map<string, string>();
  const strange: Exclude<TreeEntry, TreeFile>[] = [];
  for await (const entry of readTree(folder, leftOut)) {
    if (entry.kind === 'file') packed.set(flat(entry.path), flat(pack(entry)));
    else strange.push(entry);
  }
  return { tree: treeOf(packed), strange };
}

/** A run may have hundreds of thousands of files: each is one short text here, a third of what an object takes. */
function treeOf(packed: ReadonlyMap<string, string>): Tree {
  return {
    size: packed.size,
    has: (path) => packed.has(path),
    file(path) {
      const found = packed.get(path);
      return found === undefined ? undefined : unpack(path, found);
    },
    sha256: (path) => packed.get(path)?.slice(0, SHA256_LENGTH),
    paths: () => packed.keys(),
    *files() {
      for (const [path, text] of packed) yield unpack(path, text);
    },
  };
}

const SHA256_LENGTH = 64;

function pack({ sha256, bytes, executable, lines }: TreeFile): string {
  return `${sha256}${executable ? 'x' : '-'}${bytes} ${lines ?? ''}`;
}

function unpack(path: string, text: string): TreeFile {
  const [bytes, lines] = text.slice(SHA256_LENGTH + 1).split(' ');
  return {
    kind: 'file',
    path,
    sha256: text.slice(0, SHA256_LENGTH),
    bytes: Number(bytes),
    executable: text[SHA256_LENGTH] === 'x',
    lines: lines === '' ? null : Number(lines),
  };
}

/** A text that was put together holds on to its parts; a copy does not. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}
