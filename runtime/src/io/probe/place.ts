import { readFile, realpath } from 'node:fs/promises';
import type { PlaceFacts } from '../../ports/probe.js';
import { refusedAt } from './folder.js';

/** Never rejects, and makes nothing. */
export async function placeFacts(folder: string): Promise<PlaceFacts> {
  const real = await realpath(folder).catch(() => folder);
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  return { unwritable: await refusedAt(real), ...mountOf(mounts, real) };
}

/** File systems by which WSL and virtual machines show the disks of Windows: executable bits and case are not kept there. */
const WINDOWS = new Set(['9p', 'drvfs', 'vboxsf', 'fuseblk', 'ntfs', 'ntfs3', 'vfat', 'exfat', 'cifs', 'smb3']);

/** By the last of the longest mounts above the folder, from the lines of `/proc/self/mounts`, in which white space is spelled `\040`. */
export function mountOf(mounts: string, folder: string): Pick<PlaceFacts, 'noexec' | 'windows'> {
  let found = { length: -1, noexec: false, windows: false };
  for (const line of mounts.split('\n')) {
    const [, spelled = '', type = '', options = ''] = line.split(' ');
    const place = spelled.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
    const above = place === '/' || (place !== '' && (folder === place || folder.startsWith(`${place}/`)));
    if (!above || place.length < found.length) continue;
    found = { length: place.length, noexec: options.split(',').includes('noexec'), windows: WINDOWS.has(type) };
  }
  return { noexec: found.noexec, windows: found.windows };
}
