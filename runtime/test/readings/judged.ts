import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/** The document, judged by the schema of its kind. */
export function judged(text: string): { kind: string } & Record<string, unknown> {
  const document: { kind: string } & Record<string, unknown> = JSON.parse(text);
  const schema: object = JSON.parse(readFileSync(new URL(`../../schemas/${document.kind}.schema.json`, import.meta.url), 'utf8'));
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);
  validate(document);
  expect(validate.errors).toBeNull();
  return document;
}
