import schema from '../../schema/contract.schema.json' with { type: 'json' };
import type { ContractFault } from '../contract.js';
import type { SchemaError } from '../json-schema.js';
import { nearest } from '../nearest.js';
import type { ContractDocument, NodePath } from './document.js';
import { listOf } from './values.js';

/** The published schema of a contract file (seed section 10). */
export const CONTRACT_SCHEMA: object = schema;

interface Validator {
  validate(value: unknown): readonly { readonly error?: SchemaError }[];
}

let validator: Validator | undefined;

/** Validates a document against the schema of contract files; every fault with its line and column (C-1). */
export async function shapeFaults(document: ContractDocument): Promise<ContractFault[]> {
  validator ??= await loadValidator();
  const faults = new Map<string, ContractFault>();
  for (const { error } of validator.validate(document.value)) {
    const said = error && !SILENT.has(error.keyword) ? faultOf(error, document) : undefined;
    if (said) faults.set(`${said.line}:${said.column} ${said.message}`, said);
  }
  return [...faults.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

async function loadValidator(): Promise<Validator> {
  const { compileSchema } = await import('../json-schema.js');
  const compiled = compileSchema(schema, { finiteNumbers: true });
  if (!compiled.ok) throw new Error(`contract.schema.json: ${compiled.message}`);
  return compiled.validator;
}

/** What ajv says besides the fault itself: that a branch was taken, or that a name did not fit. */
const SILENT = new Set(['if', 'propertyNames']);

function faultOf(error: SchemaError, document: ContractDocument): ContractFault | undefined {
  const path = pathOf(error.instancePath);
  const { message, fix, key } = wordsOf(error, path);
  if (message === '') return undefined;
  const place = key === undefined ? document.placeOf(path) : document.placeOf([...path, key], 'key');
  return { severity: 'error', file: document.source.path, ...place, message, ...(fix === undefined ? {} : { fix }) };
}

function pathOf(pointer: string): NodePath {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

interface Words {
  readonly message: string;
  readonly fix?: string;
  /** The key inside the node that is meant. */
  readonly key?: string;
}

function wordsOf(error: SchemaError, path: NodePath): Words {
  const params: Readonly<Record<string, unknown>> = error.params;
  const what = path.length === 0 ? 'The contract' : `"${spelled(path)}"`;
  switch (error.keyword) {
    case 'required':
      return missing(String(params['missingProperty']), what, path);
    case 'additionalProperties':
      return unknownKey(String(params['additionalProperty']), what, allowedKeys(error));
    case 'enum':
      if (error.propertyName !== undefined) return unknownKey(error.propertyName, what, listOf(params['allowedValues']).map(String));
      return { message: `${what} is none of ${listOf(params['allowedValues']).join(', ')}.` };
    case 'type':
      return { message: `${what} has to be ${typeWords(String(params['type']))}.` };
    case 'pattern':
      return patternWords(what, String(params['pattern']));
    case 'minLength':
      return { message: `${what} is empty.` };
    case 'minimum':
      return { message: `${what} is less than ${String(params['limit'])}.` };
    case 'anyOf':
      return { message: `${what} is a pattern assertion and has neither "must_not_match" nor "must_match".` };
    default:
      return { message: `${what} ${error.message ?? 'is not as the schema of contracts says'}.` };
  }
}

/** `assert[0].name`, as a person would say it. */
function spelled(path: NodePath): string {
  return path.map((step, index) => (/^\d+$/.test(String(step)) ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('');
}

function missing(key: string, what: string, path: NodePath): Words {
  const fixes: Readonly<Record<string, string>> = {
    'spec-version': 'spec-version: 0.1.0',
    version: 'version: 1.0.0',
    default: 'default: block',
  };
  const fix = path.length === 0 || key === 'default' ? fixes[key] : undefined;
  if (key === 'must_not_match' || key === 'must_match') return { message: '' };
  return { message: `${what} has no "${key}", which is required.`, ...(fix === undefined ? {} : { fix }) };
}

function unknownKey(key: string, what: string, allowed: readonly string[]): Words {
  const meant = nearest(key, allowed);
  const hint = meant === undefined ? (allowed.length > 0 ? ` Allowed are: ${allowed.join(', ')}.` : '') : ` Did you mean "${meant}"?`;
  return { message: `${what} does not take "${key}".${hint}`, key };
}

function allowedKeys(error: SchemaError): string[] {
  const { parentSchema: parent } = error;
  if (error.instancePath === '') return Object.keys(schema.properties);
  if (typeof parent !== 'object' || parent === null || !('properties' in parent)) return [];
  return typeof parent.properties === 'object' && parent.properties !== null ? Object.keys(parent.properties) : [];
}

function typeWords(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'a text; quote it when it looks like a number',
    object: 'a map of keys to values',
    array: 'a list',
    integer: 'a whole number',
    number: 'a number',
  };
  return words[type] ?? type.replace(',', ' or ');
}

function patternWords(what: string, pattern: string): Words {
  if (pattern === schema.$defs.semver.pattern) return { message: `${what} is not a version of three numbers, such as 1.0.0.` };
  if (pattern === schema.properties.created.pattern) return { message: `${what} is not a date such as 2026-03-21.` };
  if (pattern === schema.$defs.sentence.pattern) return { message: `${what} is empty.` };
  return { message: `${what} is no name: one line of visible characters, without "[" and "]".` };
}
