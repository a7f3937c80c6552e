/** JSON Schema 2020-12 through ajv (A-11, K-5). Loaded only when there is a `schema.json`. */
import { AJV_OPTIONS, ajvWords } from '@gated-flow/patterns';
import { escapeName } from '@gated-flow/text';
import type { ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { surveySchema } from './survey.js';

/** One thing wrong with a value: a JSON pointer into it (empty for the whole) and a sentence without a full stop. */
export interface SchemaFault {
  readonly pointer: string;
  readonly message: string;
}

export interface SchemaValidator {
  /** Every fault, in the order they are found; none for a value that matches. Never throws. */
  validate(value: unknown): readonly SchemaFault[];
}

export type CompiledSchema = { readonly ok: true; readonly validator: SchemaValidator } | { readonly ok: false; readonly message: string };

/** Why a schema cannot be used, in sentences; null when it can. The same file beside many stages is compiled once. */
export interface SchemaReader {
  fault(file: { readonly sha256: string }, schema: unknown): string | null;
}

export function createSchemaReader(): SchemaReader {
  const known = new Map<string, string | null>();
  return {
    fault: ({ sha256 }, schema) => {
      const earlier = known.get(sha256);
      if (earlier !== undefined) return earlier;
      const compiled = compile(schema);
      const fault = compiled.ok ? null : compiled.message;
      known.set(sha256, fault);
      return fault;
    },
  };
}

/** Never throws, whatever the schema is. */
export function compile(schema: unknown): CompiledSchema {
  const surveyed = surveySchema(schema);
  if (!surveyed.ok) return surveyed;
  try {
    return { ok: true, validator: validatorOf(freshAjv(surveyed.namesDialect).compile(surveyed.schema)) };
  } catch (error) {
    return { ok: false, message: whyNot(error) };
  }
}

/** An instance of its own for each schema: one schema's `$id` can never be another's reference. */
function freshAjv(meta: boolean): Ajv2020 {
  return new Ajv2020({ ...OPTIONS, meta });
}

/** The survey has judged every keyword. */
const OPTIONS: Options = { ...AJV_OPTIONS, validateSchema: false, formats: fullFormats };

function validatorOf(check: ValidateFunction): SchemaValidator {
  return {
    validate: (value) => {
      try {
        return check(value) ? [] : (check.errors ?? []).map(faultOf);
      } catch (error) {
        return [{ pointer: '', message: whyNot(error) }];
      }
    },
  };
}

function faultOf(error: ErrorObject): SchemaFault {
  return { pointer: escapeName(error.instancePath), message: escapeName(ajvWords(error)) };
}

function whyNot(error: unknown): string {
  if (error instanceof RangeError) return 'The schema is nested too deeply, or refers to itself without end.';
  return error instanceof Error ? escapeName(error.message) : 'The schema cannot be compiled.';
}
