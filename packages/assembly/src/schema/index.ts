import type { JsonSchema } from '../tree.js';
import type { SchemaValidator } from './compile.js';

/**
 * A validator of a schema that a valid assembly carries (K-5). Formats are asserted, patterns run in linear time, no reference is
 * fetched. Compile once a run: it takes milliseconds. Rejects for a schema that reading would have refused.
 */
export async function compileSchema(schema: JsonSchema): Promise<SchemaValidator> {
  const { compile } = await import('./compile.js');
  const compiled = compile(schema.schema);
  if (!compiled.ok) throw new Error(`${schema.path}: ${compiled.message}`);
  return compiled.validator;
}
