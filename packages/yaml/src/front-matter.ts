import { isUtf8 } from 'node:buffer';
import matter from 'gray-matter';
import { findFences } from './fences.js';
import { EMPTY_DOCUMENT, type DocumentResult, type ReadOptions } from './document.js';
import { parseDocument } from './parse.js';

export type FrontMatterResult =
  | {
      readonly ok: true;
      readonly data: Readonly<Record<string, unknown>>;
      /** Everything after the closing fence's line, as it is. */
      readonly body: Uint8Array;
      /** The body as UTF-8, with U+FFFD for what is not. */
      readonly bodyText: string;
      /** The line of a key, counted from the file's first line. */
      keyLine(key: string): number | undefined;
    }
  | { readonly ok: false; readonly message: string; readonly line: number };

export interface FrontMatterOptions extends ReadOptions {
  /** With optional fences a file without an opening one is all body. */
  readonly fences: 'required' | 'optional';
}

const LINES_BEFORE_MATTER = 1;
/** gray-matter looks for comments in time quadratic in the length of a run of white space: 80,000 line feeds take ten seconds. */
const LONG_BLANK = /\s{501}/;

/**
 * Splits a markdown file into its YAML front matter and its body. The front matter must be valid UTF-8 and a mapping
 * that `parseYaml` accepts; blank lines and comments alone are an empty mapping. With optional fences a file without an
 * opening one is all body. Never throws, never executes. `line` counts from the file's first line.
 */
export function splitFrontMatter(bytes: Uint8Array, options: FrontMatterOptions): FrontMatterResult {
  const fences = findFences(bytes);
  if (fences.kind === 'broken') return { ok: false, message: fences.message, line: fences.line };
  if (fences.kind === 'unfenced') {
    if (options.fences === 'optional') return split({}, bytes, () => undefined);
    return { ok: false, message: 'The file must begin with front matter: a line `---`, any keys, and a line `---`.', line: 1 };
  }
  if (!isUtf8(fences.matter)) return { ok: false, message: 'The front matter is not valid UTF-8.', line: badLine(fences.matter) };
  const text = decode(fences.matter);
  if (isBlank(text)) return split({}, fences.body, () => undefined);

  if (LONG_BLANK.test(text)) return { ok: false, message: 'The front matter has more than 500 blank characters in a row.', line: 2 };
  const document = readMatter(text, options);
  if (!document.ok) {
    const [fault] = document.faults;
    return { ok: false, message: fault?.message ?? 'The front matter is not valid YAML.', line: fault?.line ?? 1 };
  }
  if (!isMapping(document.value)) return { ok: false, message: 'The front matter is not a mapping of keys to values.', line: 2 };
  return split(document.value, fences.body, (key) => document.keyLine(key));
}

/**
 * The library hands the block, from the end of the opening fence's line, to the one engine that exists: ours, so lines count from
 * the file's first. A language behind the fence, which could be JavaScript that it would execute, is no fence to begin with.
 */
function readMatter(text: string, options: ReadOptions): DocumentResult {
  let document: DocumentResult = EMPTY_DOCUMENT;
  const read = (block: string): object => {
    // The library cuts the last line feed off, which would leave the carriage return of a CRLF alone.
    document = parseDocument(`${block}\n`, options);
    return {};
  };
  matter({ content: `---\n${text}---\n` }, { language: 'yaml', engines: { yaml: read, javascript: refuse, json: refuse } });
  return document;
}

function refuse(): never {
  throw new Error('front matter is YAML and nothing else');
}

function split(data: Record<string, unknown>, body: Uint8Array, keyLine: (key: string) => number | undefined): FrontMatterResult {
  return { ok: true, data, body, bodyText: decode(body), keyLine };
}

/** Whether the lines are all blank or comments: nothing a parser is needed for. */
function isBlank(matter: string): boolean {
  return matter === '' || matter.split('\n').every((line) => /^[ \t]*(?:#|\r?$)/.test(line) && !/\r./.test(line));
}

function badLine(matter: Uint8Array): number {
  let line = LINES_BEFORE_MATTER + 1;
  for (let start = 0; start < matter.length; line++) {
    const feed = matter.indexOf(0x0a, start);
    const end = feed === -1 ? matter.length : feed + 1;
    if (!isUtf8(matter.subarray(start, end))) return line;
    start = end;
  }
  return line;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
