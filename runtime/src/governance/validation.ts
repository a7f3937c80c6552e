/** When the acceptance of a contract passed here, kept in the home by the contract's own hash (V-13). */
import { join } from 'node:path';
import type { Validation } from '@gated-flow/governance';
import { isObject } from '../models/json.js';
import { DiskError, type Disk } from '../ports/disk.js';

const MAX_BYTES = 64 * 1024;

function placeOf(home: string, sha256: string): string {
  return join(home, 'governance', 'validated', `${sha256}.json`);
}

/** What cannot be read counts as not validated. */
export async function readValidation(home: string | null, sha256: string, disk: Pick<Disk, 'readHead'>): Promise<Validation | undefined> {
  if (home === null) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(await disk.readHead(placeOf(home, sha256), MAX_BYTES)).toString('utf8'));
    return isObject(value) && typeof value['at'] === 'string' && value['contract'] === sha256
      ? { at: value['at'], sha256: [sha256] }
      : undefined;
  } catch (error) {
    if (error instanceof DiskError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Rejects with a DiskError. */
export async function keepValidation(
  home: string,
  { at, sha256 }: { at: string; sha256: string },
  disk: Pick<Disk, 'write'>,
): Promise<void> {
  const document = { kind: 'flow.governance-validation', version: 1, contract: sha256, at };
  await disk.write(placeOf(home, sha256), `${JSON.stringify(document, null, 2)}\n`, { durable: true });
}
