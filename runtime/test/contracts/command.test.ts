import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atHome } from '../readings/at-home.js';

const home = atHome();
afterAll(() => home.done());

const CONTRACT = `agent: reply
spec-version: 0.1.0
version: 1.0.0
description: What a reply may say
must_not:
  - contain "guaranteed refund"
  - be rude
`;
const LOG = ['Fine.', 'A guaranteed refund, by supersecret-value-1.']
  .map((output) => JSON.stringify({ input: 'a', output, tool_calls: [], duration_ms: 1, cost_usd: 0 }))
  .join('\n');

beforeAll(() => {
  writeFileSync(join(home.root, 'a.contract.yaml'), CONTRACT);
  writeFileSync(join(home.root, 'runs.jsonl'), LOG);
});

it('[I-1 C-11] flow contract is agentcontract: its commands, their exit codes', async () => {
  expect((await home.flow(['contract', 'check', 'a.contract.yaml'])).code).toBe(0);
  expect((await home.flow(['contract', 'check', 'a.contract.yaml', '--warnings-fail'])).code).toBe(1);
  expect((await home.flow(['contract', 'check', 'none.yaml'])).code).toBe(2);
  const judged = await home.flow(['contract', 'validate', 'a.contract.yaml', 'runs.jsonl', '--no-judge']);
  expect([judged.code, judged.out]).toEqual([1, expect.stringContaining('runs.jsonl:2: block: must_not[0]')]);
  const schema = await home.flow(['contract', 'schema', '--home', home.home]);
  expect([schema.code, Object.keys(JSON.parse(schema.out) as object)]).toEqual([0, expect.arrayContaining(['$schema', 'properties'])]);
});

it('[I-1 C-11] an option that may be repeated is taken each time, and one that takes a word only these', async () => {
  const check = ['contract', 'check', 'a.contract.yaml', '--strict'];
  expect((await home.flow(check)).code).toBe(1);
  expect((await home.flow([...check, '--fact', 'be rude=false', '--fact', 'it rains=true'])).code).toBe(0);
  const other = await home.flow(['contract', 'check', 'a.contract.yaml', '--format', 'jso']);
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('text, json, github')]);
});

it('[I-1 C-11] misuse is said in a sentence that names flow contract', async () => {
  const log = await home.flow(['contract', 'validate']);
  expect([log.code, log.err]).toEqual([2, 'It is used so: flow contract validate [contract] <run-log>.\n']);
  const typed = await home.flow(['contract', 'valdate']);
  expect([typed.code, typed.err]).toEqual([2, expect.stringContaining('Did you mean validate?')]);
  const nothing = await home.flow(['contract', 'audit']);
  expect([nothing.code, nothing.err]).toEqual([2, 'It is used so: flow contract audit verify <file>.\n']);
});

it('[S-2 C-11] what it prints is masked', async () => {
  const contract = CONTRACT.replace('be rude', 'say supersecret-value-1');
  writeFileSync(join(home.root, 'secret.contract.yaml'), contract);
  const { out } = await home.flow(['contract', 'check', 'secret.contract.yaml'], {
    env: { FLOW_HOME: home.home, MY_TOKEN: 'supersecret-value-1' },
  });
  expect(out).toContain('say ***');
  expect(out).not.toContain('supersecret');
});
