/** What every reader is given, and what the readers share in looking at a folder. */
import { cutText, escapeName } from '@gated-flow/text';
import type { Refusal, RefusalCode } from '../refusals.js';
import type { Entry, FileEntry, FolderEntry, Snapshot } from '../snapshot.js';
import { nameOf } from '../snapshot.js';
import type { MarkdownReader } from '../markdown.js';
import type { SchemaReader } from '../schema/compile.js';
import type { Flow, Step } from '../tree.js';
import { hasControl } from './names.js';
import type { Spot } from './spot.js';

export interface Reading {
  readonly snapshot: Snapshot;
  /** Loaded only when some body needs the markdown tree. */
  readonly markdown: MarkdownReader | null;
  /** Loaded only when there is a `schema.json`. */
  readonly schemas: SchemaReader | null;
  readonly refuse: Refuse;
  /** The root as the reader of a message would write it in a command line: `.`, `./review`. */
  readonly shown: string;
  readonly grammar: Grammar;
}

/** The two places where the format contains itself. Handed down, so that the readers import each other in one direction only. */
export interface Grammar {
  /** A numbered entry, a branch or an alternative. */
  step(reading: Reading, spot: Spot): Step;
  /** The flows of a `subflows/` folder; none when it is absent. */
  subflows(reading: Reading, folder: string, libs: readonly string[]): readonly Flow[];
}

export type Refuse = (code: RefusalCode, path: string, message: string, fix?: string) => void;

export function collector(): { readonly refusals: Refusal[]; readonly refuse: Refuse } {
  const refusals: Refusal[] = [];
  const refuse: Refuse = (code, path, message, fix) => {
    refusals.push(fix === undefined ? { code, path, message } : { code, path, message, fix });
  };
  return { refusals, refuse };
}

export type SoundEntry = FileEntry | FolderEntry;

/** The entries of a folder that a reader has to account for. The others (links, unreadable ones, unprintable names) are refused by a rule of their own. */
export function soundChildren(snapshot: Snapshot, folder: string): readonly SoundEntry[] {
  return snapshot.children(folder).filter(isSound);
}

export function isSound(entry: Entry): entry is SoundEntry {
  return (entry.kind === 'file' || entry.kind === 'folder') && !hasControl(nameOf(entry.path));
}

/** A name or value from a file, fit for a sentence: control characters visible, long ones cut, in quotation marks. */
export function quoted(text: string): string {
  const visible = escapeName(text.slice(0, 1_000));
  const shown = cutText(visible, 120);
  return `"${shown}${shown.length < visible.length ? '…' : ''}"`;
}

/** `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}

/** A path of the assembly as a word of a command line that works where the reader of the message stands. */
export function shellWord(reading: Pick<Reading, 'shown'>, path: string): string {
  const word = `${reading.shown}/${path}`;
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
