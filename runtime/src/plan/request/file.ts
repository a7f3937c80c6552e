import { extname, resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import { DiskError } from '../../ports/disk.js';
import type { PreparePorts } from '../prepare.js';
import { found, refused, requestInvalid, type Resolved } from '../refusal.js';

export const REQUEST_MAX_BYTES = 4 * 1024 * 1024;

/** The bytes of a file that holds a request, links followed; refused when it is absent, no file, or too large (O-3). */
export async function readRequestFile(name: string, { cwd, disk }: Pick<PreparePorts, 'cwd' | 'disk'>): Promise<Resolved<Uint8Array>> {
  if (name === '') return refused(requestInvalid('There is no file name after @. A request that starts with @ is written @@.'));
  try {
    const path = await disk.real(resolve(cwd, name));
    const standing = path === null ? null : await disk.look(path);
    if (path === null || standing === null) return refused(requestInvalid(absent(name)));
    if (standing.kind === 'folder') return refused(requestInvalid(`${name} is a folder; a request is a file.`));
    const bytes = await disk.readHead(path, REQUEST_MAX_BYTES + 1);
    return bytes.length > REQUEST_MAX_BYTES ? refused(tooLarge(name)) : found(bytes);
  } catch (error) {
    if (error instanceof DiskError) return refused(requestInvalid(`${name} could not be read: ${error.code}.`));
    throw error;
  }
}

export function tooLarge(what: string): Refusal {
  return requestInvalid(`${what} is larger than 4 MiB. Put the bulk in the working tree and let the request name it.`);
}

/** `.txt` unless the name ends in an extension of ASCII letters and digits (O-3). */
export function extensionOf(name: string): string {
  const extension = extname(name);
  return /^\.[A-Za-z0-9]+$/.test(extension) ? extension : '.txt';
}

function absent(name: string): string {
  return `There is no file ${name}. A request that is itself a text starting with @ is written @@.`;
}
