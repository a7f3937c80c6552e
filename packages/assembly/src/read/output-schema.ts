/** `schema.json` and `schema.md`: what the output has to be. */
import { isUtf8 } from '@gated-flow/text';
import { splitFrontMatter } from '@gated-flow/yaml';
import type { FileEntry } from '../snapshot.js';
import { nameOf } from '../snapshot.js';
import type { JsonSchema, MarkdownTemplate, Schema, SlimType, TemplateKey } from '../tree.js';
import { readBytes } from './document.js';
import type { Reading } from './reading.js';
import { quoted } from './reading.js';
import type { Ground } from './spot.js';
import { isRecord, word } from './values.js';

export function readSchema(reading: Reading, ground: Ground, files: readonly FileEntry[]): Schema | undefined {
  if (files.length > 1) {
    reading.refuse(
      'schema-duplicate',
      ground.folder,
      'The stage has both schema.json and schema.md, and its output has one form. Keep one of them.',
    );
  }
  const schemas = files.map((file) => (nameOf(file.path) === 'schema.json' ? readJsonSchema(reading, file) : readTemplate(reading, file)));
  return schemas[0] ?? undefined;
}

function readJsonSchema(reading: Reading, file: FileEntry): JsonSchema | null {
  const bytes = readBytes(reading, file.path);
  if (!bytes) return null;
  const refuse = (message: string): null => {
    reading.refuse('schema-invalid', file.path, message);
    return null;
  };
  if (!isUtf8(bytes)) return refuse('The schema is not valid UTF-8. Save it as UTF-8.');
  const text = Buffer.from(bytes).toString('utf8');
  const parsed = parseJson(text);
  if (!parsed.ok) return refuse(`The schema is not JSON: ${parsed.message}.`);
  const fault = reading.schemas?.fault(file, parsed.value) ?? null;
  if (fault !== null) return refuse(`The schema cannot be used. ${fault}`);
  const schema = parsed.value;
  return isRecord(schema) || typeof schema === 'boolean' ? { kind: 'json', path: file.path, text, schema } : null;
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string } {
  if (text.startsWith('\ufeff')) return { ok: false, message: 'it begins with a byte-order mark' };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : 'it cannot be parsed' };
  }
}

const SLIM_TYPES = word(['str', 'int', 'float', 'bool', 'list', 'date']);

function readTemplate(reading: Reading, file: FileEntry): MarkdownTemplate | null {
  const bytes = readBytes(reading, file.path);
  if (!bytes) return null;
  const split = splitFrontMatter(bytes, { fences: 'optional' });
  if (!split.ok) {
    reading.refuse('frontmatter-invalid', file.path, split.line === undefined ? split.message : `Line ${split.line}: ${split.message}`);
    return null;
  }
  const keys = Object.entries(split.data).flatMap(([key, type]) => readTemplateKey(reading, file, key, type));
  return { kind: 'md', path: file.path, text: Buffer.from(bytes).toString('utf8'), keys };
}

function readTemplateKey(reading: Reading, file: FileEntry, key: string, written: unknown): readonly TemplateKey[] {
  if (written === null) return [{ key, type: null }];
  const type: SlimType | undefined = SLIM_TYPES.accept(written);
  if (type !== undefined) return [{ key, type }];
  const found = typeof written === 'string' ? quoted(written) : 'something else';
  reading.refuse(
    'schema-invalid',
    file.path,
    `The key ${quoted(key)} asks for ${found}. It takes ${SLIM_TYPES.takes}, or nothing when any value will do. For more than that use schema.json.`,
  );
  return [];
}
