import { readFileSync } from 'node:fs';
import { compileSchema } from '@gated-flow/assembly';
import { expect } from 'vitest';

/** Reads what a command printed as a document, and holds it to the schema that ships with the package. */
export async function documentIn(out: string) {
  const document = JSON.parse(out);
  const path = `${document.kind}.schema.json`;
  const text = readFileSync(new URL(`../../schemas/${path}`, import.meta.url), 'utf8');
  const schema: object = JSON.parse(text);
  const { validate } = await compileSchema({ kind: 'json', path, text, schema });
  expect(validate(document)).toEqual([]);
  return document;
}
