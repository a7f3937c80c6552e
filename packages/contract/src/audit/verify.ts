/** Whether an audit file is as it was written (C-10). Sees one line at a time; keeps one hash for each. */
import { isFields } from '../read/values.js';
import { FIRST_PREV, hashOfLine, isSignedBy } from './entry.js';

export interface AuditFault {
  /** From 1. */
  readonly line: number;
  readonly is: 'altered' | 'unsigned' | 'missing' | 'reordered' | 'malformed' | 'unchained';
  readonly message: string;
}

export interface AuditVerdict {
  readonly entries: number;
  readonly signed: number;
  /** Whether signatures were checked. */
  readonly keyed: boolean;
  readonly chained: boolean;
  readonly faults: readonly AuditFault[];
  /** Hash of the last line: keep it, and a file that was cut off at its end can be told. */
  readonly last: string;
}

export interface AuditVerifier {
  /** `line` is the number in the file, from 1; `whole`: it ended with a newline. */
  feed(text: string, at: { readonly line: number; readonly whole: boolean }): void;
  verdict(): AuditVerdict;
}

interface Entry {
  readonly line: number;
  readonly prev: string | undefined;
  /** Hash of the line before it in the file. */
  readonly before: string;
  readonly sound: boolean;
}

export function createAuditVerifier(key: string | undefined): AuditVerifier {
  const faults: AuditFault[] = [];
  const lineOf = new Map<string, number>();
  const broken: Entry[] = [];
  const state = { line: 0, entries: 0, signed: 0, chained: 0, before: FIRST_PREV, beforeSound: true };

  return {
    feed(text, { line, whole }) {
      state.line = line;
      const sound = judge(text, whole);
      const hash = hashOfLine(text);
      lineOf.set(hash, state.line);
      state.before = hash;
      state.beforeSound = sound;
    },
    verdict() {
      const known = new Set(faults.map(({ line, is }) => `${line} ${is}`));
      const chain = (state.chained === 0 ? [] : broken)
        .map((entry) => chainFault(entry, lineOf))
        .filter(({ line, is }) => !known.has(`${line} ${is}`));
      const all = [...faults, ...chain].sort((a, b) => a.line - b.line);
      return {
        entries: state.entries,
        signed: state.signed,
        keyed: key !== undefined,
        chained: state.chained > 0,
        faults: all,
        last: state.before,
      };
    },
  };

  function judge(line: string, whole: boolean): boolean {
    const entry = parsed(line);
    if (!entry || !whole) {
      const message = entry ? 'The last entry has no newline: it was cut off while it was written.' : 'This is not an audit entry.';
      faults.push({ line: state.line, is: 'malformed', message });
      return false;
    }
    state.entries += 1;
    const sound = judgeSignature(entry);
    const prev = typeof entry['prev'] === 'string' ? entry['prev'] : undefined;
    if (prev !== undefined) state.chained += 1;
    if (prev !== state.before) broken.push({ line: state.line, prev, before: state.before, sound: sound && state.beforeSound });
    return sound;
  }

  function judgeSignature(entry: object): boolean {
    const signed = 'signature' in entry;
    if (signed) state.signed += 1;
    // Nobody can tell without the key, so a break in the chain may be either.
    if (key === undefined) return false;
    if (!signed) faults.push({ line: state.line, is: 'unsigned', message: 'The entry has no signature.' });
    else if (!isSignedBy(entry, key)) {
      faults.push({
        line: state.line,
        is: 'altered',
        message: 'The signature does not fit: the entry was altered, or signed with another key.',
      });
      return false;
    }
    return signed;
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) && typeof value['run_id'] === 'string' && typeof value['output_hash'] === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function chainFault({ line, prev, before, sound }: Entry, lineOf: ReadonlyMap<string, number>): AuditFault {
  if (prev === undefined) return { line, is: 'unchained', message: 'The entry does not say which one it follows, and others do.' };
  if (prev === FIRST_PREV) return { line, is: 'reordered', message: 'The entry says that it is the first, and others stand before it.' };
  const follows = lineOf.get(prev);
  if (follows !== undefined)
    return { line, is: 'reordered', message: `The entry follows the one on line ${follows}, and does not stand there.` };
  if (before === FIRST_PREV) return { line, is: 'missing', message: 'Entries before the first line are missing.' };
  if (sound) return { line, is: 'missing', message: `Entries between line ${line - 1} and line ${line} are missing.` };
  return {
    line: line - 1,
    is: 'altered',
    message: `The entry was altered, or entries between line ${line - 1} and line ${line} are missing.`,
  };
}
