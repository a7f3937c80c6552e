/** JSON Schema 2020-12 (C-1, C-5): patterns in linear time, formats asserted, nothing fetched. ajv is loaded when this module is. */
import { ajvRegExp } from '@gated-flow/patterns';
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

/** ajv takes two patterns with the same `toString` for one, so each says what it is. */
const linearEngine = Object.assign(
  (source: string, flags: string) => ({ ...ajvRegExp(source, flags), toString: () => `/${source}/${flags}` }),
  { code: ajvRegExp.code },
);

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  logger: false,
  ownProperties: true,
  verbose: true,
  inlineRefs: false,
  formats: fullFormats,
  code: { regExp: linearEngine },
};

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
  return { pointer: error.instancePath, message: wordsOf(error), error };
}

function wordsOf({ keyword, params, message = 'does not match' }: ErrorObject): string {
  const named: Readonly<Record<string, unknown>> = params;
  switch (keyword) {
    case 'enum':
      return `must be one of ${valuesOf(named['allowedValues'])}`;
    case 'const':
      return `must be ${JSON.stringify(named['allowedValue'])}`;
    case 'additionalProperties':
      return `must not have the property ${JSON.stringify(named['additionalProperty'])}`;
    case 'propertyNames':
      return `must not have the property ${JSON.stringify(named['propertyName'])}`;
    default:
      return message;
  }
}

/** Plain words as they are, everything else as JSON. */
function valuesOf(values: unknown): string {
  if (!Array.isArray(values)) return JSON.stringify(values);
  return values.map((value: unknown) => (typeof value === 'string' && /^[\w-]+$/.test(value) ? value : JSON.stringify(value))).join(', ');
}

function whyNot(error: unknown): string {
  if (error instanceof RangeError) return 'the schema is nested too deeply, or refers to itself without end';
  return error instanceof Error ? error.message : 'the schema cannot be compiled';
}
