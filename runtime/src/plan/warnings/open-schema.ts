import type { Warning } from '../plan.js';
import { isRecord } from '../config/faults.js';
import type { WarningRule } from './warning.js';

/** Keywords that say something about a document without judging it. */
const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  '$anchor',
  '$vocabulary',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** A schema, or a property of one, that nothing can fail. */
export const schemaAcceptsAnything: WarningRule = ({ stages }) =>
  stages.flatMap(({ schema }): readonly Warning[] => {
    if (schema?.kind !== 'json') return [];
    const whole = acceptance(schema.schema);
    if (whole !== null)
      return [{ path: schema.path, message: `It accepts ${whole}; say what the output must hold, or leave the schema out.` }];
    const open = openProperties(schema.schema);
    if (open.length === 0) return [];
    const names = open.slice(0, 3).map(({ name, accepts }) => `${JSON.stringify(name)} accepts ${accepts}`);
    const more = open.length > 3 ? `, and ${open.length - 3} more like these` : '';
    return [{ path: schema.path, message: `${names.join(', ')}${more}; say more (such as minLength), or leave it out.` }];
  });

/** `anything`, `any string`, … when the schema judges no more than that; else null. */
function acceptance(schema: unknown): string | null {
  if (schema === true) return 'anything';
  if (!isRecord(schema)) return null;
  const asserted = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key));
  if (asserted.length === 0) return 'anything';
  const { type } = schema;
  if (asserted.length > 1 || asserted[0] !== 'type') return null;
  return type === 'string' || type === 'object' || type === 'array' ? `any ${type}` : null;
}

interface OpenProperty {
  readonly name: string;
  readonly accepts: string;
}

/** The open properties of a schema of objects, and of the objects inside them. */
function openProperties(schema: unknown): readonly OpenProperty[] {
  if (!isRecord(schema)) return [];
  const own = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const open = own.flatMap(([name, property]) => {
    const accepts = acceptance(property);
    return accepts === null ? openProperties(property) : [{ name, accepts }];
  });
  return isRecord(schema['items']) ? [...open, ...openProperties(schema['items'])] : open;
}
