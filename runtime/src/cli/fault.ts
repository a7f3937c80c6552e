import { escapeControls, escapeName } from '@gated-flow/text';
import { DiskError } from '../ports/disk.js';
import type { Io } from './command.js';
import { readLogWords } from './log-words.js';

/** Says in one sentence what broke, and how to report it; the stack only under `--log-level debug`. Exit code 2. */
export async function reportFault(error: unknown, words: readonly string[], outside: Io): Promise<number> {
  const io = await maskedBy(words, outside);
  const clean = (text: string): string => escapeControls(io.redactor.text(text));
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.err(clean(`${faultSentence(error, words)}\n`));
  if (readLogWords(words)?.level === 'debug') io.err(clean(`${stack}\n`));
  io.log.error('fault', { stack });
  return 2;
}

/** A system that lacks even what this takes must not hide the fault. */
async function maskedBy(words: readonly string[], io: Io): Promise<Io> {
  try {
    const { withSecrets } = await import('./secrets.js');
    return await withSecrets(words, io);
  } catch {
    return io;
  }
}

function faultSentence(error: unknown, words: readonly string[]): string {
  if (error instanceof DiskError) return `${refusal(error.operation, error.path, error.code)}${wayOut(error.code)}`;
  const refused = systemRefusal(error) ?? fileRefusal(error);
  if (refused !== null) return refused;
  const message = error instanceof Error ? error.message : String(error);
  const command = ['flow', ...words.slice(0, 1)].join(' ');
  return (
    `${command} broke on a fault of its own: ${message.split('\n', 1)[0] ?? ''}. ` +
    'Please report it with what the same command prints under --log-level debug.'
  );
}

function refusal(operation: string, path: string, code: string): string {
  return `The file system refused: ${operation} ${escapeName(path)} (${code}).`;
}

function wayOut(code: string): string {
  return ['EROFS', 'EACCES', 'EPERM'].includes(code)
    ? ' flow doctor looks at every place that is written to; --home DIR names another home.'
    : '';
}

/** What the system lacks, anywhere in the command, also while a part of it is being loaded: no fault of the command's own. */
function systemRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const lack = LACKS[error.code];
  return lack === undefined ? null : `The system has no ${lack} (${error.code}), so the command could not go on.`;
}

/** A file of a run that the system does not hand out: no fault of the command's own. */
function fileRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error && 'path' in error && 'syscall' in error)) return null;
  const { code, path, syscall } = error;
  const why = REFUSALS[String(code)];
  return why === undefined ? null : `${refusal(String(syscall), String(path), String(code))} ${why}`;
}

const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: "You have no permission: it, or a folder above it, is perhaps another user's.",
  EPERM: 'You have no permission.',
  EIO: 'The disk could not be read there.',
  ELOOP: 'Something on the way to it is a symbolic link that is not followed.',
};

const LACKS: Readonly<Record<string, string>> = {
  EMFILE: 'more descriptors for this process: raise ulimit -n',
  ENFILE: 'more descriptors',
  ENOSPC: 'space left on the disk',
  ENOMEM: 'memory left',
  EAGAIN: 'room for another process',
};
