import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import { readKey } from '@gated-flow/record';
import { type Disk, DiskError } from '../../ports/disk.js';
import type { RunOptions } from '../../run/options.js';
import type { Io } from '../command.js';
import type { RunWords } from '../run.js';

type Asked = Pick<RunOptions, 'isolate' | 'signWith' | 'correlation'>;
type Refused = { readonly ok: false; readonly refusals: readonly Refusal[] };

const CORRELATION_BYTES = 256;

/** The options of a run that are no part of its plan (O-7, R-3, R-8). */
export async function readOptions(
  words: RunWords,
  { io, disk }: { readonly io: Io; readonly disk: Disk },
): Promise<{ readonly ok: true; readonly options: Asked } | Refused> {
  const { isolate, correlation, sign } = words;
  if (isolate !== undefined && isolate !== 'clean' && isolate !== 'dirty')
    return refused(`--isolate=${isolate}: say --isolate or --isolate=dirty.`);
  if (correlation !== undefined && Buffer.byteLength(correlation) > CORRELATION_BYTES) {
    return refused(`--correlation has ${Buffer.byteLength(correlation)} bytes; at most ${CORRELATION_BYTES} are kept.`);
  }
  const key = sign === undefined ? null : await readSigningKey(resolve(io.cwd, sign), disk);
  if (typeof key === 'string') return refused(`--sign: ${sign} ${key} Make one with flow keygen.`);
  return {
    ok: true,
    options: {
      ...(isolate === undefined ? {} : { isolate }),
      ...(correlation === undefined ? {} : { correlation }),
      ...(key === null ? {} : { signWith: key }),
    },
  };
}

/** The key, or what is wrong with the file. */
async function readSigningKey(file: string, disk: Disk): Promise<KeyObject | string> {
  try {
    return readKey(Buffer.from(await disk.read(file)).toString('utf8'), 'private') ?? 'holds no Ed25519 private key in PKCS8 PEM.';
  } catch (error) {
    if (error instanceof DiskError) return `cannot be read (${error.code}).`;
    throw error;
  }
}

function refused(message: string): Refused {
  return { ok: false, refusals: [{ code: 'value-invalid', path: 'command', message }] };
}
