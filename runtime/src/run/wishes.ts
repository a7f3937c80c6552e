import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import type { IssuedAuthorization } from '@gated-flow/governance';
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
  /** Receipts say how they came about: `-v` (V-6). */
  readonly verbose?: boolean;
  /** Go on where nobody has seen that a denial is honoured (V-10). */
  readonly acceptAdvisory?: boolean;
  /** A file with leave that was given before (V-5). */
  readonly authorize?: string;
  /** How long an answer is waited for when a call needs leave: seconds as typed. */
  readonly approvalWait?: string;
}

type Refused = { readonly ok: false; readonly refusals: readonly Refusal[] };
type Read = {
  readonly ok: true;
  readonly options: Pick<
    RunOptions,
    'isolate' | 'signWith' | 'correlation' | 'reuse' | 'debugReceipts' | 'authorized' | 'approvalWaitSeconds'
  >;
  readonly sandbox: Sandboxed | null;
};

const CORRELATION_BYTES = 256;

/** Reads the wishes, or refuses those that cannot be met. */
export async function readWishes(
  { isolate, correlation, sign, reuse, verbose, sandbox, sandboxNet, authorize, approvalWait }: RunWishes,
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
  const wait = approvalWait === undefined ? undefined : readSeconds(approvalWait);
  if (wait === null) return refused(`--approval-wait ${approvalWait}: say whole seconds, at most ${MAX_WAIT_SECONDS}.`);
  const leave = authorize === undefined ? undefined : await readAuthorized(resolve(cwd, authorize), disk);
  if (typeof leave === 'string') return refused(`--authorize: ${authorize} ${leave}`);
  return {
    ok: true,
    sandbox: sandboxed.sandbox,
    options: {
      ...(isolate === undefined ? {} : { isolate }),
      ...(correlation === undefined ? {} : { correlation }),
      ...(key === null ? {} : { signWith: key }),
      ...(reuse === true ? { reuse } : {}),
      ...(verbose === true ? { debugReceipts: true } : {}),
      ...(leave === undefined ? {} : { authorized: leave }),
      ...(wait === undefined ? {} : { approvalWaitSeconds: wait }),
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

const MAX_WAIT_SECONDS = 604_800;

function readSeconds(text: string): number | null {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : null;
  return seconds !== null && seconds <= MAX_WAIT_SECONDS ? seconds : null;
}

const AUTHORIZE_BYTES = 4 * 1024 * 1024;

/** What was issued, or what is wrong with the file. */
async function readAuthorized(file: string, disk: Disk): Promise<readonly IssuedAuthorization[] | string> {
  try {
    const { readAuthorizations } = await import('@gated-flow/governance');
    const read = readAuthorizations(await disk.readHead(file, AUTHORIZE_BYTES + 1));
    return read.ok ? read.issued : `cannot be used: ${read.faults.join(' ')}`;
  } catch (error) {
    if (error instanceof DiskError) return `cannot be read (${error.code}).`;
    throw error;
  }
}

function refused(message: string): Refused {
  return { ok: false, refusals: [{ code: 'value-invalid', path: 'command', message }] };
}
