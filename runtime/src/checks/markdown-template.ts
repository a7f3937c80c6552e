import type { SlimType, TemplateKey } from '@gated-flow/assembly';
import { splitFrontMatter } from '@gated-flow/yaml';
import type { Disk } from '../ports/disk.js';

/** How far into the file the front matter may reach (K-6). */
const FRONT_BYTES = 1024 * 1024;

interface MarkdownCandidate {
  readonly disk: Disk;
  readonly output: string;
  readonly keys: readonly TemplateKey[];
}

/** What is missing or mistyped in the front matter of a markdown output, a line each; null when nothing is (K-6). */
export async function frontMatterFaults({ disk, output, keys }: MarkdownCandidate): Promise<string | null> {
  if (keys.length === 0) return null;
  const head = await disk.readHead(output, FRONT_BYTES);
  const split = splitFrontMatter(head, { fences: 'required', integers: 'bigint' });
  if (!split.ok) return `The front matter cannot be read (line ${split.line}): ${split.message}`;
  const faults = keys.flatMap(({ key, type }) => {
    if (!Object.hasOwn(split.data, key)) return [`${key}: missing from the front matter${type === null ? '' : ` (${WANTED[type]})`}`];
    return type === null || MATCHES[type](split.data[key]) ? [] : [`${key}: must be ${WANTED[type]}`];
  });
  return faults.length === 0 ? null : faults.join('\n');
}

const WANTED: Readonly<Record<SlimType, string>> = {
  str: 'a string',
  int: 'a whole number',
  float: 'a number',
  bool: 'true or false',
  list: 'a list',
  date: 'a calendar date, YYYY-MM-DD',
};

/** Whole numbers arrive as bigint, so that `3` is an int and `3.0` is not. */
const MATCHES: Readonly<Record<SlimType, (value: unknown) => boolean>> = {
  str: (value) => typeof value === 'string',
  int: (value) => typeof value === 'bigint',
  float: (value) => typeof value === 'number' || typeof value === 'bigint',
  bool: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  date: (value) => typeof value === 'string' && isCalendarDay(value),
};

function isCalendarDay(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
