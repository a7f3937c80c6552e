import { isUtf8 } from '@gated-flow/text';
import type { SchemaFault, SchemaValidator } from '@gated-flow/assembly';
import type { Disk } from '../ports/disk.js';

const LARGEST = 64 * 1024 * 1024;
/** Faults told at once; the rest are counted (K-5). */
const TOLD = 20;

interface JsonCandidate {
  readonly disk: Disk;
  readonly output: string;
  validator(): Promise<SchemaValidator>;
}

/** What is wrong with a JSON output, a line each; null when nothing is (K-5). */
export async function jsonFaults({ disk, output, validator }: JsonCandidate): Promise<string | null> {
  const standing = await disk.look(output);
  if (standing && standing.size > LARGEST)
    return `The file has ${standing.size} bytes. JSON of more than ${LARGEST} bytes (64 MiB) is not read.`;
  const bytes = await disk.read(output);
  if (bytes.length === 0) return 'The file is empty. It must hold one JSON value.';
  if (!isUtf8(bytes)) return 'The file is not valid UTF-8.';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'The file starts with a byte-order mark. Write it without one.';
  const text = Buffer.from(bytes).toString('utf8');
  const parsed = parse(text);
  if (!parsed.ok) return `It is not JSON: ${await syntaxFault(text, parsed.message)}`;
  const faults = (await validator()).validate(parsed.value);
  return faults.length === 0 ? null : list(faults);
}

function parse(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** The built-in parser does not always say where; this one does. */
async function syntaxFault(text: string, message: string): Promise<string> {
  const { parse: parseTolerantly, printParseErrorCode } = await import('jsonc-parser');
  const errors: { error: number; offset: number; length: number }[] = [];
  parseTolerantly(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (!first) return message;
  const before = text.slice(0, first.offset);
  const line = before.split('\n').length;
  const column = first.offset - before.lastIndexOf('\n');
  const what = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `line ${line}, column ${column}: ${what}.`;
}

function list(faults: readonly SchemaFault[]): string {
  const lines = faults.slice(0, TOLD).map(({ pointer, message }) => `${pointer === '' ? '(the whole document)' : pointer}: ${message}`);
  return (faults.length > TOLD ? [...lines, `and ${faults.length - TOLD} more.`] : lines).join('\n');
}
