/** A walk over a JSON Schema before any validator sees it: what 2020-12 does not know is set aside, what cannot be is named. */
import { quoted } from '../read/reading.js';
import { isRecord } from '../read/values.js';

export type Surveyed = { readonly ok: true; readonly schema: object | boolean } | { readonly ok: false; readonly message: string };

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Any absolute base does: it only makes relative references comparable. */
const ROOT_BASE = 'schema://root/';
const MAX_DEPTH = 128;
const MAX_SUBSCHEMAS = 20_000;

const ONE = [
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAP = ['$defs', 'definitions', 'dependentSchemas', 'dependencies', 'patternProperties', 'properties'];
/** Words that the validator knows and 2020-12 does not. An unknown keyword is ignored, so they are taken out. */
const FOREIGN = ['$async', 'discriminator', 'id', 'nullable', '$schema'];

/** Checks the dialect, the size and every reference. The result is a copy that only 2020-12 keywords decide. */
export function surveySchema(schema: unknown): Surveyed {
  if (typeof schema === 'boolean') return { ok: true, schema };
  if (!isRecord(schema)) return { ok: false, message: 'A JSON Schema is an object, or true or false.' };
  const survey: Survey = { faults: [], ids: new Set([ROOT_BASE, DIALECT]), references: [], count: 0 };
  const cleaned = visit(survey, schema, { base: ROOT_BASE, depth: 0 });
  const remote = survey.references.find(({ target }) => !survey.ids.has(target));
  if (remote)
    survey.faults.push(
      `${quoted(remote.written)} points outside this file, and no reference is ever fetched. Copy what it names into "$defs".`,
    );
  const fault = survey.faults[0];
  return fault === undefined ? { ok: true, schema: cleaned } : { ok: false, message: fault };
}

interface Survey {
  readonly faults: string[];
  readonly ids: Set<string>;
  readonly references: { readonly written: string; readonly target: string }[];
  count: number;
}

interface Position {
  readonly base: string;
  readonly depth: number;
}

function visit(survey: Survey, schema: Readonly<Record<string, unknown>>, at: Position): object {
  survey.count += 1;
  if (at.depth > MAX_DEPTH) return refuse(survey, `The schema is nested more than ${MAX_DEPTH} levels deep.`);
  if (survey.count > MAX_SUBSCHEMAS) return refuse(survey, `The schema has more than ${MAX_SUBSCHEMAS} subschemas.`);
  const base = identify(survey, schema, at.base);
  checkDialect(survey, schema);
  note(survey, schema, base);
  const inner = { base, depth: at.depth + 1 };
  const visited = (value: unknown): unknown => (isRecord(value) ? visit(survey, value, inner) : value);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !FOREIGN.includes(keyword))
      .map(([keyword, value]) => [keyword, subschemasOf(keyword, value, visited)]),
  );
}

function subschemasOf(keyword: string, value: unknown, visited: (value: unknown) => unknown): unknown {
  if (ONE.includes(keyword)) return visited(value);
  if (LIST.includes(keyword) && Array.isArray(value)) return value.map(visited);
  if (MAP.includes(keyword) && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visited(each)]));
  return value;
}

/** The base of the references inside: the schema's own `$id` when it has one. */
function identify(survey: Survey, schema: Readonly<Record<string, unknown>>, base: string): string {
  if (typeof schema.$id !== 'string') return base;
  const id = resolved(schema.$id, base);
  if (id === null) return base;
  survey.ids.add(id);
  return id;
}

function checkDialect(survey: Survey, schema: Readonly<Record<string, unknown>>): void {
  const dialect = schema.$schema;
  if (dialect === undefined || dialect === DIALECT || dialect === `${DIALECT}#`) return;
  const named = typeof dialect === 'string' ? quoted(dialect) : 'something that is no text';
  survey.faults.push(`"$schema" names ${named}, and only JSON Schema 2020-12 is read. Write "${DIALECT}" or leave "$schema" out.`);
}

function note(survey: Survey, schema: Readonly<Record<string, unknown>>, base: string): void {
  for (const written of [schema.$ref, schema.$dynamicRef]) {
    if (typeof written === 'string') survey.references.push({ written, target: resolved(written, base) ?? written });
  }
}

/** Absolute and without its fragment; null when it is no reference at all. */
function resolved(reference: string, base: string): string | null {
  try {
    const url = new URL(reference, base);
    url.hash = '';
    return url.href;
  } catch {
    return reference.startsWith('#') ? base : null;
  }
}

function refuse(survey: Survey, message: string): object {
  survey.faults.push(message);
  return {};
}
