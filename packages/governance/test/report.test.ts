import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PACKS, loadGovernance, reportOf } from '../src/index.js';
import { contractOf, source } from './contract.js';

const TEMPLATE = readFileSync(new URL('../templates/adapter-contract/governance.contract.json', import.meta.url), 'utf8');

describe('[V-13] what is enforced here', () => {
  it('says it stage by stage, with the rules', async () => {
    const loaded = await loadGovernance([source(TEMPLATE)]);
    if (!loaded.ok) throw new Error('not sound');
    const report = reportOf(loaded.contract, { surfaces: { pre_tool: 'observed', final_claim: 'unverified' } });
    expect(report.stages.map(({ stage, enforcement, why, rules }) => [stage, enforcement, why !== undefined, rules.length > 0])).toEqual([
      ['prompt_stage', 'not enforced here', true, true],
      ['pre_tool', 'enforced', false, true],
      ['schema_aware_file_tool', 'not enforced here', true, true],
      ['memory_access', 'not enforced here', true, true],
      ['external_research', 'not enforced here', true, true],
      ['final_claim', 'advisory', true, true],
    ]);
    const rules = report.stages[1]?.rules ?? [];
    expect(rules.find(({ id }) => id === 'push')).toEqual({
      id: 'push',
      decision: 'require_approval',
      matches: { tool: 'bash', program: 'git', args: '^push\\b' },
      reason: 'It reaches for: remote repository.',
      risks: 'publishes commits to others',
      recovery: 'revert on the remote',
    });
    for (const { id } of PACKS.install.rules) expect(rules.some((rule) => rule.id === `install/${id}`)).toBe(id !== 'npm-ci');
    expect(report.toolNames['bash']).toContain('powershell');
    expect(JSON.parse(JSON.stringify(report))).toMatchObject({ contract: 'adapter', standing: 'source_prior', expiresSeconds: 900 });
  });

  it('is validated for exactly the files that passed', async () => {
    const contract = await contractOf({}, { acceptance: ['true', { id: 'two', command: 'test -f x' }] });
    expect(contract.acceptance).toEqual([
      { id: 'acceptance-1', command: 'true' },
      { id: 'two', command: 'test -f x' },
    ]);
    const [file] = contract.files;
    const at = '2026-03-21T12:00:00.000Z';
    expect(reportOf(contract, { surfaces: {}, validation: { at, sha256: [file?.sha256 ?? ''] } })).toMatchObject({
      standing: 'local_validated',
      validated: at,
    });
    expect(reportOf(contract, { surfaces: {}, validation: { at, sha256: ['0'] } })).not.toHaveProperty('validated');
  });

  it('a stage and a section nobody knows are said to be not enforced here', async () => {
    const contract = await contractOf({ voice: { on: true }, pre_tool: { budget: 1 } }, { rewrite_semantics: {} });
    const report = reportOf(contract, { surfaces: { pre_tool: 'observed' } });
    expect(report.stages).toEqual([
      { stage: 'pre_tool', enforcement: 'enforced', rules: [] },
      { stage: 'voice', enforcement: 'not enforced here', why: 'This stage is not known here.', rules: [] },
    ]);
    expect(report.notEnforced).toEqual(['rewrite_semantics', 'stages.pre_tool.budget']);
  });
});
