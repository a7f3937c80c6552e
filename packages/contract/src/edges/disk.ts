import { constants } from 'node:fs';
import { mkdir, open, readdir, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { readConfig } from '../discover.js';
import type { ConfigRead } from '../discover.js';
import type { FoundParent, ParentFinder } from '../load.js';
import type { ContractSource } from '../read/document.js';
import type { FetchRemote } from './remote.js';

/** A larger contract is refused: the YAML reader takes no more either. */
const MAX_CONTRACT = 1024 * 1024;
const CHUNK = 1 << 20;

export type BytesRead = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly message: string };

/** A whole small file, or why there is none, in a sentence. */
export async function readSmallFile(path: string, limit: number = MAX_CONTRACT): Promise<BytesRead> {
  try {
    // A pipe must not keep the program waiting.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat().then((stats) => (stats.isFile() ? stats : Promise.reject(new Error('it is no regular file'))));
      if (size > limit) return { ok: false, message: `${path} has ${size} bytes, and ${limit} is the most.` };
      return { ok: true, bytes: await file.readFile() };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { ok: false, message: `${path} cannot be read: ${whyNot(error)}.` };
  }
}

export type SourceRead = { readonly ok: true; readonly source: ContractSource } | { readonly ok: false; readonly message: string };

/** A contract file by the path a person gave. */
export async function readSource(path: string, cwd: string): Promise<SourceRead> {
  const location = resolve(cwd, path);
  const read = await readSmallFile(location);
  return read.ok
    ? { ok: true, source: { path, location, bytes: read.bytes } }
    : { ok: false, message: read.message.replace(location, path) };
}

/** Finds what contracts extend on this machine and, when allowed, over https (C-2). */
export function diskParents(remote: FetchRemote | null, cwd: string): ParentFinder {
  return {
    async find(target, from) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return fetched(target, remote);
      if (/^https:/.test(from)) return fetched(new URL(target, from).href, remote);
      const path = resolve(dirname(from), target);
      const read = await readSmallFile(path);
      if (!read.ok) return { ok: false, message: `It extends ${target}, and ${read.message}` };
      return { ok: true, source: { path: shownFrom(cwd, path), location: await realpath(path), bytes: read.bytes } };
    },
  };
}

/** Where a reader finds it from where they are. */
function shownFrom(cwd: string, path: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') ? path : below;
}

async function fetched(url: string, remote: FetchRemote | null): Promise<FoundParent> {
  if (!url.startsWith('https:')) return { ok: false, message: `It extends ${url}, and only https is fetched.` };
  if (remote) return remote(url);
  return { ok: false, message: `It extends ${url}, and nothing is fetched unless you allow it: --allow-remote.` };
}

/**
 * The bytes of a file, or of a pipe, in chunks, each gone when the next is asked for. Rejects with a sentence when it cannot be read:
 * at once when it is not there or is a folder, so that no report has begun by then.
 */
export async function chunksOf(path: string): Promise<AsyncGenerator<Uint8Array>> {
  const unreadable = (error: unknown): never => {
    throw new Error(`${path} cannot be read: ${whyNot(error)}.`);
  };
  const file = await open(path, 'r').catch(unreadable);
  if ((await file.stat()).isDirectory()) {
    await file.close();
    throw new Error(`${path} cannot be read: it is a folder.`);
  }
  return chunksFrom(file, unreadable);
}

async function* chunksFrom(file: FileHandle, unreadable: (error: unknown) => never): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, null).catch(unreadable);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** What discovery looks at in a project's root; null for what is not there. */
export async function projectFiles(root: string): Promise<{ packageJson: string | null; pyproject: string | null; folder: string[] }> {
  const text = async (name: string): Promise<string | null> => {
    const read = await readSmallFile(join(root, name), 16 * MAX_CONTRACT);
    return read.ok ? Buffer.from(read.bytes).toString('utf8') : null;
  };
  const folder = await readdir(join(root, '.agentcontract')).catch(() => []);
  return { packageJson: await text('package.json'), pyproject: await text('pyproject.toml'), folder: folder.sort() };
}

const CONFIG = '.agentcontract/config.yaml';

/** Who judges and who is alerted in the project at `root`; nothing when it does not say (C-6, C-9). */
export async function readProjectConfig(root: string): Promise<ConfigRead> {
  const path = join(root, CONFIG);
  if (!(await isFile(path))) return { ok: true, config: {} };
  const read = await readSmallFile(path);
  return read.ok ? readConfig(Buffer.from(read.bytes).toString('utf8'), CONFIG) : read;
}

/** A folder with those above it. Node's own `recursive` never ends where a folder is there and takes none, as in /proc. */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error;
  });
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'permission was denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
};

/** The system's reason in words. */
export function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return 'something went wrong';
  const code = 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? (code === '' ? error.message : code);
}
