import { AJV_OPTIONS } from '@gated-flow/patterns';
import type { ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import schema from '../../schema/governance.schema.json' with { type: 'json' };
import type { GovernanceFault } from './contract.js';
import { certainlyFits } from './fits.js';
import type { ContractDocument, NodePath } from './document.js';

/** The published schema of a governance contract (V-1). */
export const GOVERNANCE_SCHEMA: object = schema;

let compiled: ValidateFunction | undefined;

/** Every fault of the document by the schema, with its line and column, in the order of the file (V-1). */
export async function shapeFaults(document: ContractDocument): Promise<readonly GovernanceFault[]> {
  if (certainlyFits(schema, document.value)) return [];
  compiled ??= await compile();
  if (compiled(document.value)) return [];
  const faults = new Map<string, GovernanceFault>();
  for (const error of compiled.errors ?? []) {
    const fault = SILENT.has(error.keyword) ? undefined : faultOf(error, document);
    if (fault) faults.set(`${fault.line}:${fault.column} ${fault.message}`, fault);
  }
  return [...faults.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Compiled for one or two documents: what makes the code smaller or faster takes longer than it saves. */
const OPTIONS: Options = { ...AJV_OPTIONS, verbose: true, code: { optimize: false } };

/** The schema's own patterns are ours and short, so the engine of the language does. */
async function compile(): Promise<ValidateFunction> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020(OPTIONS).compile(schema);
}

/** What ajv says besides the fault itself. */
const SILENT = new Set(['if', 'propertyNames']);

function faultOf(error: ErrorObject, document: ContractDocument): GovernanceFault {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const what = path.length === 0 ? 'The contract' : `"${spelled(path)}"`;
  const params: Readonly<Record<string, unknown>> = error.params;
  if (error.keyword === 'additionalProperties') {
    const key = String(params['additionalProperty']);
    return document.faultAt([...path, key], `${what} does not take "${key}". Allowed are: ${allowedKeys(error).join(', ')}.`, 'key');
  }
  if (error.propertyName !== undefined)
    return document.faultAt([...path, error.propertyName], `"${error.propertyName}" ${NAME_WORDS}.`, 'key');
  return document.faultAt(path, sentence(error, { what, missing: String(params['missingProperty']) }));
}

/** `stages.pre_tool.rules[0].decision`, as a person would say it. */
function spelled(path: NodePath): string {
  return path.map((step, index) => (/^\d+$/.test(String(step)) ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('');
}

const NAME_WORDS = 'begins with a letter or digit and consists of letters, digits, "_", "." and "-"';

function sentence(error: ErrorObject, { what, missing }: { readonly what: string; readonly missing: string }): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'required':
      if (missing === 'risks' || missing === 'recovery')
        return `${what} asks for approval, so it has to disclose its "risks" and its "recovery". "${missing}" is missing.`;
      return `${what} has no "${missing}", which is required.`;
    case 'enum':
      return `${what} is none of ${listed(params['allowedValues'])}.`;
    case 'const':
      return `${what} has to be ${JSON.stringify(params['allowedValue'])}.`;
    case 'type':
      return `${what} has to be ${TYPE_WORDS[String(params['type'])] ?? String(params['type'])}.`;
    case 'pattern':
      return params['pattern'] === schema.$defs.words.pattern ? `${what} is empty.` : `${what} ${NAME_WORDS}.`;
    case 'minLength':
      return `${what} is empty.`;
    default:
      return `${what} ${error.message ?? 'is not as the schema of governance contracts says'}.`;
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  object: 'an object',
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
};

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : String(values);
}

function allowedKeys({ parentSchema }: ErrorObject): string[] {
  const parent: unknown = parentSchema;
  if (typeof parent !== 'object' || parent === null || !('properties' in parent)) return [];
  return typeof parent.properties === 'object' && parent.properties !== null ? Object.keys(parent.properties) : [];
}
