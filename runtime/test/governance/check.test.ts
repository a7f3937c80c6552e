import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { documentIn } from '../cli/documents.js';
import { fakeIo } from '../cli/io.js';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

const CONTRACT = {
  schema_version: '0.1',
  contract_type: 'governance',
  contract_name: 'guard',
  stages: {
    pre_tool: { packs: ['history'], rules: [{ id: 'no-touch', program: 'touch', decision: 'deny', reason: 'No.' }] },
    rewrite_stage: { rules: [] },
  },
  rewrite_semantics: { mode: 'none' },
  acceptance: [{ id: 'there', command: 'test -f accepted && echo "told by the command"' }],
};

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'w-'));
  roots.push(work);
  write(CONTRACT);
});
const write = (contract: unknown): void => writeFileSync(join(work, 'governance.contract.json'), JSON.stringify(contract));

async function check(...words: string[]) {
  const io = fakeIo({ cwd: work, env: { HOME: work, PATH: process.env['PATH'] } });
  const exit = await main(['governance', 'check', 'governance.contract.json', '--home', join(work, 'home'), ...words], io);
  return { exit, out: io.printed(), err: io.said() };
}

it('[V-13 V-2] every stage with its rules, those of packs too, and the map of tool names', async () => {
  const { exit, out } = await check();
  expect(exit).toBe(0);
  expect(out).toMatch(/^ {2}no-touch +deny +program touch$/m);
  expect(out).toMatch(/^ {2}history\/\S+ +require_approval /m);
  expect(out).toMatch(/^ {2}bash: bash, powershell, /m);
  expect(out).toContain('source_prior');
});

it('[V-13 V-1] what nobody here enforces is named as such, never dropped', async () => {
  const { out } = await check();
  expect(out).toMatch(/^rewrite_stage +not enforced here/m);
  expect(out).toMatch(/not enforced here, and kept: .*rewrite_semantics/);
  const document = await documentIn((await check('--json')).out);
  expect(document.stages.map(({ stage }: { stage: string }) => stage)).toContain('rewrite_stage');
  expect(document.not_enforced).toContain('rewrite_semantics');
});

it('[V-13] it is local_validated with a date once its acceptance passed here, and no longer when it changes', async () => {
  const failed = await check('--accept');
  expect(failed.exit).toBe(1);
  expect(failed.err).toContain('failed  there (exit 1): test -f accepted');
  expect(failed.out).toContain('source_prior');

  writeFileSync(join(work, 'accepted'), '');
  const passed = await check('--accept');
  expect(passed).toMatchObject({ exit: 0, err: 'passed  there\n' });
  expect(passed.out).toMatch(/local_validated \d{4}-\d\d-\d\dT/);
  expect(await documentIn((await check('--json')).out)).toMatchObject({ standing: 'local_validated' });

  write({ ...CONTRACT, contract_name: 'another' });
  expect(await documentIn((await check('--json')).out)).toMatchObject({ standing: 'source_prior' });
});

it('[V-13] without acceptance there is nothing to validate it by', async () => {
  write({ ...CONTRACT, acceptance: [] });
  expect(await check('--accept')).toMatchObject({ exit: 1, err: 'There is nothing to run: "acceptance" is empty.\n' });
});

it('[V-13 V-1] a malformed contract is governance-invalid with its places, exit 2', async () => {
  write({ ...CONTRACT, stages: { pre_tool: { rules: [{ id: 'x', decision: 'perhaps\u001b[2J' }] } } });
  const { exit, out, err } = await check();
  expect([exit, out]).toEqual([2, '']);
  expect(err).toMatch(/^governance-invalid\n.*governance\.contract\.json:1:\d+: /);
  expect(err).not.toContain('\u001b');
  const json = await check('--json');
  expect(json.exit).toBe(2);
  expect((await documentIn(json.out)).message).toContain('governance.contract.json:1:');
});

it('[V-13] the template that ships is sound, and says where it stands', async () => {
  const template = new URL('../../../packages/governance/templates/adapter-contract/governance.contract.json', import.meta.url);
  writeFileSync(join(work, 'governance.contract.json'), readFileSync(template));
  const { exit, out } = await check();
  expect(exit).toBe(0);
  for (const stage of ['prompt_stage', 'pre_tool', 'schema_aware_file_tool', 'memory_access', 'external_research', 'final_claim'])
    expect(out).toMatch(new RegExp(`^${stage} `, 'm'));
});
