/** JSON Schema 2020-12 (C-1, C-5): patterns in linear time, formats asserted, nothing fetched. ajv is loaded when this module is. */
import { AJV_OPTIONS, ajvWords } from '@gated-flow/patterns';
import type { ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** One thing wrong with a value: a JSON pointer into it (empty for the whole) and a sentence without a full stop. */
export interface SchemaFault {
  readonly pointer: string;
  readonly message: string;
  readonly error?: SchemaError;
}

/** The validator's own words: declared here, since what is published names no package that its reader lacks. */
export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
  /** Of a name that does not fit. */
  readonly propertyName?: string | undefined;
  readonly parentSchema?: unknown;
}

export interface SchemaValidator {
  /** Every fault. Never throws: a pattern that runs out of time is a fault that says so. */
  validate(value: unknown): readonly SchemaFault[];
}

export type CompiledSchema = { readonly ok: true; readonly validator: SchemaValidator } | { readonly ok: false; readonly message: string };

const OPTIONS: Options = { ...AJV_OPTIONS, verbose: true, formats: fullFormats };

export interface SchemaOptions {
  /** Infinity and NaN, which YAML can write and JSON cannot, are no numbers. */
  readonly finiteNumbers?: boolean;
}

/** Never throws, whatever the schema is. An instance of its own for each: one schema's `$id` is never another's reference. */
export function compileSchema(schema: unknown, { finiteNumbers = false }: SchemaOptions = {}): CompiledSchema {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null)) {
    return { ok: false, message: 'A JSON Schema is an object, or true or false.' };
  }
  try {
    return { ok: true, validator: validatorOf(new Ajv2020({ ...OPTIONS, strictNumbers: finiteNumbers }).compile(schema)) };
  } catch (error) {
    return { ok: false, message: whyNot(error) };
  }
}

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
  return { pointer: error.instancePath, message: ajvWords(error), error };
}

function whyNot(error: unknown): string {
  if (error instanceof RangeError) return 'the schema is nested too deeply, or refers to itself without end';
  return error instanceof Error ? error.message : 'the schema cannot be compiled';
}
