import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { DiskError, type Digest, type Disk, type Standing } from '../ports/disk.js';

export type MemoryEntry =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'other' };

export interface MemoryDisk extends Disk {
  /** Everything there is, by absolute path. Tests may put and take entries; a parent must be there. */
  readonly entries: Map<string, MemoryEntry>;
  /** A file as text. Throws when there is none. */
  text(path: string): string;
}

/** A disk in memory that answers as the real one. Starts with `/` and these files and their folders. */
export function createMemoryDisk(files: Readonly<Record<string, string | Uint8Array>> = {}): MemoryDisk {
  const entries = new Map<string, MemoryEntry>([['/', { kind: 'folder' }]]);

  /** Where a path leads: links on the way are followed, at its end only when wanted. The last part need not exist. */
  function resolve(operation: string, path: string, follow: boolean, hops = 0): string {
    const fail = (code: string) => new DiskError(operation, path, code);
    if (hops > 40) throw fail('ELOOP');
    let at = '/';
    const parts = posix.resolve(path).split('/').filter(Boolean);
    for (const [index, part] of parts.entries()) {
      const parent = entries.get(at);
      if (!parent) throw fail('ENOENT');
      if (parent.kind !== 'folder') throw fail('ENOTDIR');
      at = posix.join(at, part);
      const entry = entries.get(at);
      if (entry?.kind === 'link' && (follow || index < parts.length - 1)) {
        at = resolve(operation, posix.resolve(posix.dirname(at), entry.to), true, hops + 1);
      }
    }
    return at;
  }

  function file(operation: string, path: string, follow: boolean): Uint8Array {
    const entry = entries.get(resolve(operation, path, follow));
    if (!entry) throw new DiskError(operation, path, 'ENOENT');
    if (entry.kind === 'file') return entry.bytes;
    throw new DiskError(operation, path, entry.kind === 'folder' ? 'EISDIR' : entry.kind === 'link' ? 'ELOOP' : 'EFTYPE');
  }

  function makeFolders(operation: string, path: string, last = true): void {
    if (path !== '/') makeFolders(operation, posix.dirname(path), false);
    const at = resolve(operation, path, true);
    const entry = entries.get(at);
    if (entry && entry.kind !== 'folder') throw new DiskError(operation, path, last ? 'EEXIST' : 'ENOTDIR');
    if (!entry) entries.set(at, { kind: 'folder' });
  }

  function put(operation: string, path: string, bytes: Uint8Array, mode: number | 'kept' | undefined): void {
    makeFolders(operation, posix.dirname(posix.resolve(path)), false);
    const at = resolve(operation, path, false);
    const old = entries.get(at);
    if (old?.kind === 'folder') throw new DiskError(operation, path, 'EISDIR');
    const kept = old?.kind === 'file' ? old.mode : 0o644;
    entries.set(at, { kind: 'file', bytes: Uint8Array.from(bytes), mode: mode === 'kept' ? kept : (mode ?? 0o600) });
  }

  const inside = (folder: string) =>
    [...entries.keys()].filter((path) => path !== '/' && path.startsWith(folder === '/' ? '/' : `${folder}/`));

  const disk: MemoryDisk = {
    entries,
    text: (path) => Buffer.from(file('read', path, true)).toString('utf8'),
    read: async (path) => Uint8Array.from(file('read', path, true)),
    readHead: async (path, bytes) => Uint8Array.from(file('read', path, true).subarray(0, bytes)),
    async *stream(path) {
      yield Uint8Array.from(file('read', path, true));
    },
    write: async (path, bytes, options) => put('write', path, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, options?.mode),
    async copy(from, to, options) {
      const bytes = file('copy', from, false);
      put('copy', to, bytes, options?.mode);
      return digest(bytes);
    },
    hash: async (path) => digest(file('hash', path, false)),
    async look(path): Promise<Standing | null> {
      const entry = await orNull(() => entries.get(resolve('look at', path, false)));
      if (!entry) return null;
      if (entry.kind !== 'file') return { kind: entry.kind, size: 0, executable: entry.kind === 'folder' };
      return { kind: 'file', size: entry.bytes.length, executable: (entry.mode & 0o111) !== 0 };
    },
    async real(path) {
      const at = await orNull(() => resolve('resolve', path, true));
      return at !== undefined && entries.has(at) ? at : null;
    },
    async list(path) {
      const at = resolve('list', path, true);
      const entry = entries.get(at);
      if (entry?.kind !== 'folder') throw new DiskError('list', path, entry ? 'ENOTDIR' : 'ENOENT');
      const names = inside(at)
        .filter((one) => posix.dirname(one) === at)
        .map((one) => posix.basename(one));
      return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    },
    makeFolder: async (path) => makeFolders('make folder', posix.resolve(path)),
    async remove(path) {
      const at = await orNull(() => resolve('remove', path, false));
      if (at === undefined) return;
      for (const one of [at, ...inside(at)]) entries.delete(one);
    },
    async rename(from, to) {
      const [source, target] = [resolve('rename', from, false), resolve('rename', to, false)];
      const entry = entries.get(source);
      if (!entry || !entries.has(posix.dirname(target))) throw new DiskError('rename', from, 'ENOENT');
      for (const one of [source, ...inside(source)]) {
        const moved = entries.get(one);
        if (moved) entries.set(`${target}${one.slice(source.length)}`, moved);
        entries.delete(one);
      }
    },
    async measure(path, limit) {
      let total = 0;
      for (const one of inside(resolve('measure', path, false))) {
        const entry = entries.get(one);
        if (entry?.kind === 'file') total += entry.bytes.length;
        if (total > limit) break;
      }
      return total;
    },
  };
  for (const [path, bytes] of Object.entries(files)) put('write', path, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, undefined);
  return disk;
}

function digest(bytes: Uint8Array): Digest {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
}

/** Undefined when something on the way is not there. */
async function orNull<T>(act: () => T): Promise<T | undefined> {
  try {
    return act();
  } catch (error) {
    if (error instanceof DiskError && error.code !== 'ELOOP') return undefined;
    throw error;
  }
}
