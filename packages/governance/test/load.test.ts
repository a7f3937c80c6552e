import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GOVERNANCE_SCHEMA, loadGovernance } from '../src/index.js';
import { bash, contractOf, faultsOf, HEAD, said, source } from './contract.js';

const TEMPLATE = readFileSync(new URL('../templates/adapter-contract/governance.contract.json', import.meta.url), 'utf8');
const rule = (more: object) => JSON.stringify({ ...HEAD, stages: { pre_tool: { rules: [more] } } });

describe('[V-1] loading', () => {
  it('takes the public template, and nothing of it is left unenforced', async () => {
    const loaded = await loadGovernance([source(TEMPLATE)]);
    expect(loaded).toMatchObject({ ok: true, contract: { name: 'adapter', lane: 'project', expiresSeconds: 900, notEnforced: [] } });
    expect(loaded.ok && loaded.contract.stages.size).toBe(6);
    expect(new Ajv2020({ strict: false }).compile(GOVERNANCE_SCHEMA)(JSON.parse(TEMPLATE))).toBe(true);
  });

  it('keeps what it does not know, and says that it is not enforced here', async () => {
    const { notEnforced } = await contractOf(
      { pre_tool: { matchers: 'Bash|PowerShell' }, voice: { on: true } },
      { rewrite_semantics: { allowed: [] }, cost_profile: { budget: 3 }, supported_stages: ['pre_tool', 'review'] },
    );
    expect(notEnforced.map(({ section, value }) => [section, value])).toEqual([
      ['rewrite_semantics', { allowed: [] }],
      ['cost_profile.budget', 3],
      ['stages.voice', { on: true }],
      ['stages.pre_tool.matchers', 'Bash|PowerShell'],
      ['supported_stages.review', true],
    ]);
  });

  it('[V-1 V-6] says that a gate nobody here knows is not enforced, when a route requires it', async () => {
    const routes = [{ id: 'a', match: 'x', required_gates: ['pre_tool', 'second_reader'] }];
    const { notEnforced } = await contractOf({ prompt_stage: { routes }, pre_tool: {} });
    expect(notEnforced.map(({ section }) => section)).toEqual(['stages.prompt_stage.routes.0.required_gates.second_reader']);
  });

  it.each([
    ['nothing', '', '1:1 The governance contract is not JSON: a value is missing here.'],
    ['no JSON', '{\n  "a": 1,\n}', '3:1 The governance contract is not JSON: a name in double quotes is missing here.'],
    ['a comment', '{ // x\n}', '1:3 The governance contract is not JSON: a comment stands here.'],
    ['a byte-order mark', '\uFEFF{}', '1:1 The governance contract starts with a byte-order mark. Save it without one.'],
    ['a key that stands twice', '{\n "stages": {},\n "stages": {}\n}', '3:2 "stages" stands there twice.'],
    ['too deep', '['.repeat(50_000), '1:1 The governance contract is nested deeper than 100 levels.'],
    ['a list', '[]', '1:1 The contract has to be an object.'],
    ['no stages', JSON.stringify(HEAD), '1:1 The contract has no "stages", which is required.'],
    ['another type', JSON.stringify({ ...HEAD, contract_type: 'agent', stages: {} }), '1:18 "contract_type" has to be "governance".'],
    [
      'approval without risks',
      rule({ id: 'a', decision: 'require_approval', recovery: 'r' }),
      'asks for approval, so it has to disclose its "risks" and its "recovery". "risks" is missing.',
    ],
    [
      'a part that is misspelt',
      rule({ id: 'a', decision: 'deny', programm: 'git' }),
      'does not take "programm". Allowed are: id, tool, program,',
    ],
    ['a decision that is none', rule({ id: 'a', decision: 'ask' }), 'is none of allow, warn, require_approval, deny.'],
    ['an expression that is none', rule({ id: 'a', decision: 'deny', args: '(' }), 'The expression cannot be understood:'],
    [
      'a rule that stands twice',
      JSON.stringify({
        ...HEAD,
        stages: {
          pre_tool: {
            rules: [
              { id: 'a', decision: 'deny' },
              { id: 'a', decision: 'deny' },
            ],
          },
        },
      }),
      'The rule "a" stands there twice.',
    ],
    [
      'an exception that is none',
      JSON.stringify({ ...HEAD, stages: { pre_tool: { packs: [{ name: 'install', except: ['npm-cii'] }] } } }),
      'The pack install has no rule "npm-cii". It has: npm-ci,',
    ],
    [
      'an exception from what holds always',
      JSON.stringify({ ...HEAD, stages: { pre_tool: { packs: [{ name: 'install', except: ['grant'] }] } } }),
      'The rule "grant" holds without exception.',
    ],
    ['a pack that is none', JSON.stringify({ ...HEAD, stages: { pre_tool: { packs: ['all'] } } }), 'is none of destructive, install'],
    [
      'warn for files',
      JSON.stringify({ ...HEAD, stages: { schema_aware_file_tool: { rules: [{ id: 'a', decision: 'warn' }] } } }),
      'is none of allow, require_approval, deny.',
    ],
    [
      'a gate that is not there',
      JSON.stringify({ ...HEAD, stages: { prompt_stage: { routes: [{ id: 'a', match: 'x', required_gates: ['final_claim'] }] } } }),
      'requires the gate "final_claim", and no contract has "stages.final_claim". Add it.',
    ],
    [
      'a lane that is not there',
      JSON.stringify({ ...HEAD, lane: 'x', stages: { memory_access: { lanes: {} } } }),
      'The run\'s lane is "x"',
    ],
    ['single use switched off', JSON.stringify({ ...HEAD, stages: {}, authorization_boundary: { single_use: false } }), 'has to be true.'],
  ])('refuses %s', async (_, text, expected) => {
    const faults = await faultsOf(text);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join('\n')).toContain(expected);
  });

  it('says the line and column of a fault deep inside', async () => {
    const text = '{"contract_type":"governance","contract_name":"a",\n"stages":{"pre_tool":{"rules":[\n  {"id":"a","decision":"never"}]}}}';
    expect(await faultsOf(text)).toEqual(['3:24 "stages.pre_tool.rules[0].decision" is none of allow, warn, require_approval, deny.']);
  });

  it('bytes that are no UTF-8 and too many bytes are faults', async () => {
    expect(await loadGovernance([{ path: 'g', bytes: Uint8Array.of(0x7b, 0xff, 0x7d) }])).toMatchObject({
      ok: false,
      faults: [{ line: 1 }],
    });
    expect(await loadGovernance([{ path: 'g', bytes: new Uint8Array(1024 * 1024 + 1).fill(0x20) }])).toMatchObject({ ok: false });
  });

  it('a second contract adds its rules, and the strictest wins whatever their order', async () => {
    const one = source(
      JSON.stringify({ ...HEAD, lane: 'a', stages: { pre_tool: { rules: [{ id: 'soft', program: 'git', decision: 'warn' }] } } }),
      'one',
    );
    const two = source(
      JSON.stringify({
        ...HEAD,
        contract_name: 'two',
        authorization_boundary: { expires_seconds: 60 },
        stages: { pre_tool: { rules: [{ id: 'hard', program: 'git', decision: 'deny' }] } },
      }),
      'two',
    );
    for (const sources of [[one, two] as const, [two, one] as const]) {
      const loaded = await loadGovernance([...sources]);
      expect(loaded.ok).toBe(true);
      if (!loaded.ok) continue;
      expect(loaded.contract).toMatchObject({ lane: 'a', expiresSeconds: 60 });
      expect(said(await bash(loaded.contract, 'git status'))).toBe('deny hard');
      expect(loaded.contract.files.map(({ path }) => path).sort()).toEqual(['one', 'two']);
    }
    const faults = await loadGovernance([one, source('{', 'three')]);
    expect(faults).toMatchObject({ ok: false, faults: [{ file: 'three' }] });
  });

  it('any JSON is a contract or has faults, and nothing throws', async () => {
    const inside = fc.dictionary(
      fc.constantFrom('rules', 'packs', 'routes', 'lanes', 'match', 'terms', '__proto__', 'x'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const stages = fc.dictionary(
      fc.constantFrom('prompt_stage', 'pre_tool', 'schema_aware_file_tool', 'memory_access', 'external_research', 'final_claim', 'other'),
      fc.oneof(inside, fc.jsonValue()),
    );
    const like = fc.record(
      {
        contract_type: fc.constantFrom('governance', 'x'),
        contract_name: fc.string(),
        stages,
        lane: fc.string(),
        acceptance: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(like, fc.jsonValue()), async (value) => {
        const loaded = await loadGovernance([source(JSON.stringify(value))]);
        expect(loaded.ok || (loaded.faults.length > 0 && loaded.faults.every(({ line, column }) => line >= 1 && column >= 1))).toBe(true);
      }),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await loadGovernance([{ path: 'g', bytes }])).toHaveProperty('ok');
      }),
    );
  });
});
