import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundParent } from '../load.js';
import { makeFolder, readSmallFile } from './disk.js';
import { bodyOf, openWeb } from './web.js';
import type { Environment } from './web.js';

export type FetchRemote = (url: string) => Promise<FoundParent>;

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const PINNED = /#sha256=([0-9a-f]{64})$/i;

/**
 * Fetches parents over https: at most 1 MiB in 10 seconds, and no redirect to another scheme. What was fetched is kept in
 * `cache` under its SHA-256; a URL that ends in `#sha256=…` is held to that hash, and needs no network once it is kept (C-2).
 */
export function remoteParents(cache: string, env: Environment): FetchRemote {
  return async (url) => {
    if (!url.startsWith('https://')) return { ok: false, message: `It extends ${url}, and only https is fetched.` };
    const pinned = PINNED.exec(url)?.[1]?.toLowerCase();
    const got = (pinned === undefined ? null : await kept(cache, pinned)) ?? (await get(url.replace(/#.*$/, ''), env));
    if (!got.ok) return { ok: false, message: `It extends ${url}, and ${got.message}` };
    const hash = hashOf(got.bytes);
    if (pinned !== undefined && hash !== pinned) {
      return { ok: false, message: `It extends ${url}, and what is there has the SHA-256 ${hash}.` };
    }
    await keep(cache, hash, got.bytes);
    return { ok: true, source: { path: url, location: url.replace(/#.*$/, ''), bytes: got.bytes } };
  };
}

/** What the cache has of this content; null when it has none, or something else by then. */
async function kept(cache: string, hash: string): Promise<Got | null> {
  const read = await readSmallFile(join(cache, hash), MAX_BYTES);
  return read.ok && hashOf(read.bytes) === hash ? read : null;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

type Got = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly message: string };

async function get(url: string, env: Environment): Promise<Got> {
  const fetch = await openWeb(env);
  let at = url;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for (let hop = 0; hop < 5; hop++) {
      const response = await fetch(at, { redirect: 'manual', signal });
      const next = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || next === null) {
        if (response.status !== 200) return { ok: false, message: `the server answered ${response.status}.` };
        const bytes = await bodyOf(response, MAX_BYTES);
        return bytes === null ? { ok: false, message: 'it is larger than 1 MiB.' } : { ok: true, bytes };
      }
      at = new URL(next, at).href;
      if (!at.startsWith('https://')) return { ok: false, message: `the server redirects to ${at}, which is not https.` };
    }
    return { ok: false, message: 'the server redirects without end.' };
  } catch (error) {
    const why =
      error instanceof Error && error.name === 'TimeoutError' ? 'the server did not answer within 10 seconds' : 'it cannot be fetched';
    return { ok: false, message: `${why}.` };
  }
}

/** A cache that cannot be written is no reason to fail: the bytes are there. */
async function keep(cache: string, hash: string, bytes: Uint8Array): Promise<void> {
  const path = join(cache, hash);
  try {
    await makeFolder(cache);
    await writeFile(`${path}.${process.pid}`, bytes);
    await rename(`${path}.${process.pid}`, path);
  } catch {
    return;
  }
}
