import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import { readKey, type Sandboxed } from '@gated-flow/record';
import { present } from '../plan/options/inheritable.js';
import { readSandboxWords, type SandboxWords } from '../sandbox/wish.js';
import { type Disk, DiskError } from '../ports/disk.js';
import type { RunOptions } from './options.js';

/** What is asked of a run beside its plan, as typed (O-7, R-3, R-8). */
export interface RunWishes extends SandboxWords {
  /** `clean` or `dirty`. */
  readonly isolate?: string;
  readonly correlation?: string;
  /** A file with an Ed25519 private key. */
  readonly sign?: string;
  /** Take over the work of earlier runs where nothing that shaped it has changed (G-12). */
  readonly reuse?: boolean;
}

type Refused = { readonly ok: false; readonly refusals: readonly Refusal[] };
type Read = {
  readonly ok: true;
  readonly options: Pick<RunOptions, 'isolate' | 'signWith' | 'correlation' | 'reuse'>;
  readonly sandbox: Sandboxed | null;
};

const CORRELATION_BYTES = 256;

/** Reads the wishes, or refuses those that cannot be met. */
export async function readWishes(
  { isolate, correlation, sign, reuse, sandbox, sandboxNet }: RunWishes,
  { cwd, disk }: { readonly cwd: string; readonly disk: Disk },
): Promise<Read | Refused> {
  if (isolate !== undefined && isolate !== 'clean' && isolate !== 'dirty')
    return refused(`--isolate=${isolate}: say --isolate or --isolate=dirty.`);
  if (correlation !== undefined && Buffer.byteLength(correlation) > CORRELATION_BYTES) {
    return refused(`--correlation has ${Buffer.byteLength(correlation)} bytes; at most ${CORRELATION_BYTES} are kept.`);
  }
  const sandboxed = readSandboxWords(present({ sandbox, sandboxNet }));
  if (!sandboxed.ok) return refused(sandboxed.message);
  const key = sign === undefined ? null : await readSigningKey(resolve(cwd, sign), disk);
  if (typeof key === 'string') return refused(`--sign: ${sign} ${key} Make one with flow keygen.`);
  return {
    ok: true,
    sandbox: sandboxed.sandbox,
    options: {
      ...(isolate === undefined ? {} : { isolate }),
      ...(correlation === undefined ? {} : { correlation }),
      ...(key === null ? {} : { signWith: key }),
      ...(reuse === true ? { reuse } : {}),
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
