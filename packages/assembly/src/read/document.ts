import { splitFrontMatter } from '@gated-flow/yaml';
import type { FileEntry } from '../snapshot.js';
import type { MarkdownReader } from '../markdown.js';
import type { Reading } from './reading.js';

/** Most bytes a markdown, schema or contract file may have. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** A markdown file taken apart. */
export interface Document {
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Without HTML comments. */
  readonly body: string;
  /** The line of a key in the file, counted from 1. */
  keyLine(key: string): number | undefined;
}

/** Opens a stage file or sentinel. Null when there is nothing to read or the file was refused. */
export function readDocument(reading: Reading, path: string): Document | null {
  const bytes = readBytes(reading, path);
  if (!bytes) return null;
  const split = splitFrontMatter(bytes, { fences: 'required' });
  if (!split.ok) {
    const where = split.line === undefined ? '' : `Line ${split.line}: `;
    reading.refuse('frontmatter-invalid', path, `${where}${split.message}`);
    return null;
  }
  const body = withoutComments(reading, path, split.bodyText);
  return { path, data: split.data, body, keyLine: (key) => split.keyLine(key) };
}

/** The bytes of a file that has to be read whole. Null when it is no plain file, or too large. */
export function readBytes(reading: Reading, path: string): Uint8Array | null {
  const entry = reading.snapshot.entries.get(path);
  if (entry?.kind !== 'file') return null;
  if (entry.size > MAX_TEXT_BYTES || !entry.bytes) {
    reading.refuse('value-invalid', path, tooLarge(entry));
    return null;
  }
  return entry.bytes;
}

/** What the markdown tree says of a file; undefined when the text was refused. */
export function fromMarkdown<T>(reading: Reading, path: string, read: (markdown: MarkdownReader) => T | null): T | undefined {
  if (!reading.markdown) throw new Error(`${path}: the markdown reader was not loaded`);
  const found = read(reading.markdown);
  if (found !== null) return found;
  reading.refuse(
    'value-invalid',
    path,
    'The markdown is nested too deeply to be read. Flatten its quotes and lists, and close its comments.',
  );
  return undefined;
}

/** Whether a body says nothing: no character but white space. */
export function isEmpty(body: string): boolean {
  return body.trim() === '';
}

function withoutComments(reading: Reading, path: string, body: string): string {
  if (!body.includes('<!--')) return body;
  return fromMarkdown(reading, path, (markdown) => markdown.stripComments(body)) ?? body;
}

function tooLarge(entry: FileEntry): string {
  return `The file has ${entry.size} bytes; a markdown, schema or contract file may have at most ${MAX_TEXT_BYTES} (4 MiB). Shorten it, or move data into lib/.`;
}
