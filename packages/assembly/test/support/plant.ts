/** Builds snapshots in memory, and the same trees on disk. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { treatRoot } from '../../src/read/root.js';
import type { Entry, Snapshot } from '../../src/snapshot.js';
import { snapshotOf } from '../../src/snapshot.js';

/** A text is a file; the others say what they are. */
export type Planted =
  | string
  | { readonly x: string }
  | { readonly bytes: Uint8Array; readonly x?: boolean }
  | { readonly link: string }
  | { readonly dir: true };
export type Tree = Readonly<Record<string, Planted>>;

export const ASSEMBLY = '---\n---\nHelp the reader.\n';
export const FLOW = '---\ndescription: A flow for a test\n---\n';
export const stage = (body = 'Write the word.', front = ''): string => `---\n${front}---\n${body}\n`;
export const S = stage();
export const sh = (text = 'exit 0'): Planted => ({ x: `#!/bin/sh\n${text}\n` });

/** One flow `main` with the given entries under it. */
export function assembly(entries: Tree, root: Tree = {}): Tree {
  const flow = Object.fromEntries(Object.entries(entries).map(([path, planted]) => [`flows/main/${path}`, planted]));
  return { 'ASSEMBLY.md': ASSEMBLY, 'flows/main/FLOW.md': FLOW, ...flow, ...root };
}

/** The snapshot that reading the tree from the disk would give. */
export function snapshot(tree: Tree, root = '/somewhere/review'): Snapshot {
  const entries = new Map<string, Entry>();
  for (const [path, planted] of Object.entries(tree)) {
    if (path.split('/').some((name) => name.startsWith('.'))) continue;
    for (const folder of foldersAbove(path)) entries.set(folder, { kind: 'folder', path: folder });
    entries.set(path, entryOf(path, planted));
  }
  return rooted(root, entries);
}

function rooted(root: string, entries: ReadonlyMap<string, Entry>): Snapshot {
  const top = [...entries.values()].filter(({ path }) => !path.includes('/'));
  const sentinel = entries.get('ASSEMBLY.md');
  const treat = treatRoot(
    top.map(({ path }) => path),
    sentinel?.kind === 'file' ? sentinel.bytes : undefined,
  );
  const treatments = new Map(top.map(({ path, kind }) => [path, treat(path, kind === 'file' || kind === 'folder' ? kind : 'other')]));
  const kept = [...entries.values()].filter(({ path }) => {
    const treatment = treatments.get(path.split('/')[0] ?? '');
    return treatment === 'read' || (treatment === 'name' && !path.includes('/'));
  });
  return snapshotOf(
    root,
    kept,
    top.filter(({ path }) => treatments.get(path) === 'opaque').map(({ path }) => path),
  );
}

function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function entryOf(path: string, planted: Planted): Entry {
  if (typeof planted === 'string') return fileOf(path, Buffer.from(planted), false);
  if ('link' in planted) return { kind: 'link', path, detail: '' };
  if ('dir' in planted) return { kind: 'folder', path };
  if ('bytes' in planted) return fileOf(path, planted.bytes, planted.x ?? false);
  return fileOf(path, Buffer.from(planted.x), true);
}

function fileOf(path: string, bytes: Uint8Array, executable: boolean): Entry {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'file', path, size: bytes.length, executable, sha256, bytes, head: bytes.subarray(0, 256) };
}

/** The same tree as real files, in a folder that `done` removes. */
export function onDisk(tree: Tree, name = 'review'): { readonly root: string; readonly done: () => void } {
  const above = mkdtempSync(join(tmpdir(), 'assembly-'));
  const root = join(above, name);
  mkdirSync(root);
  for (const [path, planted] of Object.entries(tree)) plantOne(join(root, path), planted);
  return { root, done: () => rmSync(above, { recursive: true, force: true }) };
}

function plantOne(path: string, planted: Planted): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof planted === 'string') writeFileSync(path, planted);
  else if ('link' in planted) symlinkSync(planted.link, path);
  else if ('dir' in planted) mkdirSync(path, { recursive: true });
  else {
    writeFileSync(path, 'bytes' in planted ? planted.bytes : planted.x);
    if (planted.x) chmodSync(path, 0o755);
  }
}
