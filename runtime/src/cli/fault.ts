import { escapeControls } from '@gated-flow/text';
import { DiskError } from '../ports/disk.js';
import type { Io } from './command.js';
import { readLogWords } from './log-words.js';

/** Says in one sentence what broke, and how to report it; the stack only under `--log-level debug`. Exit code 2. */
export function reportFault(error: unknown, words: readonly string[], io: Io): number {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.err(escapeControls(`${faultSentence(error, words)}\n`));
  if (readLogWords(words)?.level === 'debug') io.err(escapeControls(`${stack}\n`));
  io.log.error('fault', { stack });
  return 2;
}

function faultSentence(error: unknown, words: readonly string[]): string {
  if (error instanceof DiskError) return `The file system refused: ${error.operation} ${error.path} (${error.code}).`;
  const message = error instanceof Error ? error.message : String(error);
  const command = ['flow', ...words.slice(0, 1)].join(' ');
  return (
    `${command} broke on a fault of its own: ${message.split('\n', 1)[0] ?? ''}. ` +
    'Please report it with what the same command prints under --log-level debug.'
  );
}
