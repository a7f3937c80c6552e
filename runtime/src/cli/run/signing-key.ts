import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import { readKey } from '@gated-flow/record';
import { type Disk, DiskError } from '../../ports/disk.js';
import type { Io } from '../command.js';

type SigningKey = { readonly ok: true; readonly value: KeyObject | null } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** The key that `--sign` names; null when it was not said. */
export async function readSigningKey(
  file: string | undefined,
  { io, disk }: { readonly io: Io; readonly disk: Disk },
): Promise<SigningKey> {
  if (file === undefined) return { ok: true, value: null };
  try {
    const key = readKey(Buffer.from(await disk.read(resolve(io.cwd, file))).toString('utf8'), 'private');
    if (key !== null) return { ok: true, value: key };
    return refused(`${file} holds no Ed25519 private key in PKCS8 PEM.`);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return refused(`${file} cannot be read: ${error.code}.`);
  }
}

function refused(what: string): SigningKey {
  return { ok: false, refusals: [{ code: 'value-invalid', path: 'command', message: `--sign: ${what} Make one with flow keygen.` }] };
}
