import { posix } from 'node:path';
import type { Mention } from './sentence.js';

/** What can support a claim. */
export interface Evidence {
  /** How many sources were cited: `[1]` to `[citations]` name one. */
  readonly citations: number;
  /** The texts of the commands that were recorded with exit 0. */
  readonly passedCommands: readonly string[];
  /** Whether a file of that name lies in `$INPUT` or `$PWD`. It may be relative, absolute, or begin with `$INPUT/` or `$PWD/`; it never climbs out lexically. Links that lead out count as no file. */
  fileExists(path: string): Promise<boolean>;
}

/** Whether something in the sentence supports it (V-9). */
export async function isSupported(text: string, mentions: readonly Mention[], evidence: Evidence): Promise<boolean> {
  if (citesSource(text, evidence.citations)) return true;
  const passed = new Set(evidence.passedCommands.map(withoutSpareBlanks));
  for (const { kind, value } of mentions) {
    if (kind === 'code' && passed.has(withoutSpareBlanks(value))) return true;
    const path = fileNamed(value, kind);
    if (path !== null && (await evidence.fileExists(path))) return true;
  }
  return false;
}

function citesSource(text: string, citations: number): boolean {
  for (const [, list = ''] of text.matchAll(/\[(\d{1,6}(?:\s*[,;–-]\s*\d{1,6})*)\]/g)) {
    if (list.split(/\D+/).some((number) => Number(number) >= 1 && Number(number) <= citations)) return true;
  }
  return false;
}

/** A prompt in front of a command is no part of it. */
function withoutSpareBlanks(command: string): string {
  return command
    .trim()
    .replace(/^\$\s+/, '')
    .replace(/\s+/g, ' ');
}

const MAX_PATH = 4096;

/** Without the fragment and the line behind a file's name; null for what cannot be a file in one of the folders. */
function fileNamed(value: string, kind: Mention['kind']): string | null {
  const given = kind === 'link' ? unescaped(value.replace(/[?#].*$/s, '')) : value.trim().replace(/#L\d+.*$/, '');
  if (
    given === null ||
    given === '' ||
    given.length > MAX_PATH ||
    isOutlandish(given) ||
    /^[a-z][a-z\d+.-]*:/i.test(given.replace(LINE, ''))
  )
    return null;
  const path = posix.normalize(given.replace(LINE, ''));
  return path === '.' || path.split('/').includes('..') ? null : path;
}

function isOutlandish(path: string): boolean {
  return [...path].some((character) => character < ' ' || character === '\u007f');
}

const LINE = /(?::\d+){1,2}$/;

function unescaped(url: string): string | null {
  try {
    return decodeURIComponent(url);
  } catch {
    return null;
  }
}
