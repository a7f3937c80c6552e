/** A walk over a JSON Schema before any validator sees it: what cannot be is named, what 2020-12 does not know is set aside. */
import { escapeName } from '@gated-flow/text';
import { quoted } from '../read/reading.js';
import { isRecord } from '../read/values.js';
import { FOREIGN, KEYWORDS } from './keywords.js';

/** `schema` is a copy without the words that only other dialects know. `namesDialect`: some reference leads to the dialect's own schema. */
export type Surveyed =
  | { readonly ok: true; readonly schema: object | boolean; readonly namesDialect: boolean }
  | { readonly ok: false; readonly message: string };

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Any absolute base does: it only makes relative references comparable. */
const ROOT_BASE = 'schema://root/';
const MAX_DEPTH = 128;
const MAX_SUBSCHEMAS = 20_000;
const MAX_FAULTS = 5;

/** Checks dialect, keywords, size and every reference. Never throws, whatever the value is. */
export function surveySchema(schema: unknown): Surveyed {
  if (typeof schema === 'boolean') return { ok: true, schema, namesDialect: false };
  if (!isRecord(schema)) return { ok: false, message: 'A JSON Schema is an object, or true or false.' };
  const survey: Survey = { faults: [], ids: new Set([ROOT_BASE, DIALECT]), references: [], count: 0 };
  const cleaned = visit(survey, schema, { base: ROOT_BASE, pointer: '', depth: 0 });
  for (const { written, target, pointer } of survey.references) {
    if (!survey.ids.has(target))
      survey.faults.push(
        `${pointer}: ${quoted(written)} points outside this file, and nothing is ever fetched. Copy what it names into "$defs".`,
      );
  }
  if (survey.faults.length > 0) return { ok: false, message: survey.faults.slice(0, MAX_FAULTS).join(' ') };
  return { ok: true, schema: cleaned, namesDialect: survey.references.some(({ target }) => target === DIALECT) };
}

interface Survey {
  readonly faults: string[];
  readonly ids: Set<string>;
  readonly references: Reference[];
  count: number;
}

interface Reference {
  readonly written: string;
  /** Absolute, without its fragment. */
  readonly target: string;
  readonly pointer: string;
}

interface Position {
  readonly base: string;
  readonly pointer: string;
  readonly depth: number;
}

type SchemaObject = Readonly<Record<string, unknown>>;

function visit(survey: Survey, schema: SchemaObject, at: Position): object {
  survey.count += 1;
  if (survey.count === MAX_SUBSCHEMAS) survey.faults.push(`The schema has more than ${MAX_SUBSCHEMAS} subschemas.`);
  if (survey.count >= MAX_SUBSCHEMAS) return {};
  if (at.depth > MAX_DEPTH) return refuse(survey, at.pointer, `The schema is nested more than ${MAX_DEPTH} levels deep.`);
  const here = { ...at, base: identify(survey, schema, at.base) };
  checkDialect(survey, schema, here);
  note(survey, schema, here);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !FOREIGN.includes(keyword))
      .map(([keyword, value]) => [keyword, visitKeyword(survey, keyword, value, here)]),
  );
}

function visitKeyword(survey: Survey, keyword: string, value: unknown, at: Position): unknown {
  const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
  const pointer = below(at.pointer, keyword);
  const within = (name: string | number, each: unknown): unknown =>
    visitSchema(survey, each, { ...at, pointer: below(pointer, name), depth: at.depth + 1 });
  switch (known?.holds) {
    case 'one':
      return visitSchema(survey, value, { ...at, pointer, depth: at.depth + 1 });
    case 'list':
      if (!Array.isArray(value) || value.length === 0) return refuse(survey, pointer, 'takes a list of schemas with at least one in it.');
      return value.map((each: unknown, index) => within(index, each));
    case 'map':
      if (!isRecord(value)) return refuse(survey, pointer, 'takes an object of schemas.');
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, within(name, each)]));
    case 'value':
      return known.fits(value) ? value : refuse(survey, pointer, `takes ${known.takes}.`);
    default:
      return value;
  }
}

function visitSchema(survey: Survey, value: unknown, at: Position): unknown {
  if (typeof value === 'boolean') return value;
  return isRecord(value) ? visit(survey, value, at) : refuse(survey, at.pointer, 'takes a schema: an object, or true or false.');
}

/** The base of the references inside: the schema's own `$id` when it has one. */
function identify(survey: Survey, schema: SchemaObject, base: string): string {
  if (typeof schema.$id !== 'string') return base;
  const id = resolved(schema.$id, base);
  if (id === null) return base;
  survey.ids.add(id);
  return id;
}

function checkDialect(survey: Survey, schema: SchemaObject, at: Position): void {
  const dialect = schema.$schema;
  if (dialect === undefined || dialect === DIALECT || dialect === `${DIALECT}#`) return;
  const named = typeof dialect === 'string' ? quoted(dialect) : 'no text';
  refuse(survey, below(at.pointer, '$schema'), `names ${named}, and only JSON Schema 2020-12 is read. Write "${DIALECT}" or leave it out.`);
}

function note(survey: Survey, schema: SchemaObject, at: Position): void {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const written = schema[keyword];
    if (typeof written !== 'string') continue;
    survey.references.push({ written, target: resolved(written, at.base) ?? written, pointer: below(at.pointer, keyword) });
  }
}

/** Absolute and without its fragment; null when it is no reference at all. */
function resolved(reference: string, base: string): string | null {
  if (reference.startsWith('#')) return base;
  try {
    const url = new URL(reference, base);
    url.hash = '';
    return url.href;
  } catch {
    return null;
  }
}

function below(pointer: string, name: string | number): string {
  return `${pointer}/${escapeName(String(name).slice(0, 100)).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function refuse(survey: Survey, pointer: string, message: string): object {
  survey.faults.push(pointer === '' ? message : `${pointer} ${message}`);
  return {};
}
