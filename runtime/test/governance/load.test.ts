/** The governance contract in the plan: what is refused, what is warned of, and what a check says of it (V-1). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { documentIn } from '../cli/documents.js';
import { fakeIo } from '../cli/io.js';
import { plant } from '../run/ground.js';

const roots: string[] = [];
afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true })));

const HEAD = { contract_type: 'governance', contract_name: 'open' };
const RULES = { pre_tool: { packs: ['history'], rules: [{ id: 'touch', program: 'touch', decision: 'deny' }] } };

async function check(contract: object | string | null, words: readonly string[] = [], added?: string) {
  const root = mkdtempSync(join(tmpdir(), 'flow-check-governance-'));
  roots.push(root);
  plant(join(root, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp.\n',
    'flows/main/FLOW.md': '---\ndescription: x\n---\n',
    'flows/main/01-a.md': '---\n---\nDo it.\n',
    ...(contract === null ? {} : { 'governance.contract.json': typeof contract === 'string' ? contract : JSON.stringify(contract) }),
  });
  if (added !== undefined) writeFileSync(join(root, 'more.json'), added);
  const run = async (more: readonly string[]) => {
    const io = fakeIo({ cwd: root, env: { HOME: root, FLOW_HOME: join(root, 'home') } });
    return { code: await main(['check', './a', '--rehearse', ...words, ...more], io), io };
  };
  const told = await run(['--json']);
  return { root, code: told.code, document: await documentIn(told.io.printed()), text: (await run([])).io.printed() };
}

describe('[V-1] a contract in the plan', () => {
  it('[V-1 O-5] is said in a line and in the document', async () => {
    const { code, document, text } = await check({ ...HEAD, stages: RULES });
    expect(code).toBe(0);
    expect(document.governance).toMatchObject({ contract: 'open', files: [{ path: 'governance.contract.json' }], stages: ['pre_tool'] });
    expect(document.governance.rules).toBeGreaterThan(5);
    expect(document.warnings).toEqual([]);
    expect(text).toContain('governed by open (governance.contract.json): ');
  });

  it('[V-1] without one nothing is said', async () => {
    const { document, text } = await check(null);
    expect(document.governance).toBeNull();
    expect(text).not.toContain('govern');
  });

  it('[V-1] what nobody enforces here is warned of by its name', async () => {
    const { document } = await check({ ...HEAD, rewrite_semantics: {}, stages: { ...RULES, voice: {} } });
    expect(document.warnings).toEqual([
      { path: 'governance.contract.json', message: 'Not enforced here, and kept with the run: rewrite_semantics, stages.voice.' },
    ]);
  });

  it('[V-1] every fault is refused with its line and column', async () => {
    const { code, document } = await check(
      `{ "contract_type": "governance", "contract_name": "open",\n  "stages": { "pre_tool": { "rules": [ { "id": "a", "decision": "ask" },\n {"id": "b", "decision": "require_approval", "risks": "r"} ] } } }`,
    );
    expect(code).toBe(2);
    expect(document.refusals).toMatchObject([
      { code: 'governance-invalid', path: 'governance.contract.json', message: expect.stringMatching(/^Line 2, column 65: .*is none of/) },
      { code: 'governance-invalid', message: expect.stringMatching(/^Line 3, column 2: .*"recovery" is missing/) },
    ]);
  });

  it('[V-1] what is no contract at all is refused once', async () => {
    for (const text of ['', '{', '[]', '{"contract_type":"other"}']) {
      const { document } = await check(text);
      expect(document.refusals.map(({ code }: { code: string }) => code)).toEqual(['governance-invalid']);
    }
  });

  it('[V-1] --governance adds a file; one that cannot be used is refused by its name', async () => {
    const added = JSON.stringify({ ...HEAD, contract_name: 'more', stages: RULES });
    const { document } = await check({ ...HEAD, stages: {} }, ['--governance', 'more.json'], added);
    expect(document.governance.files).toHaveLength(2);
    const alone = await check(null, ['--governance', 'more.json'], added);
    expect(alone.document.governance).toMatchObject({ contract: 'more' });
    const absent = await check(null, ['--governance', 'none.json']);
    expect(absent.document.refusals).toMatchObject([{ code: 'governance-invalid', message: '--governance: there is no file none.json.' }]);
    const wrong = await check(null, ['--governance', 'more.json'], '{"stages":\n{}}');
    expect(wrong.document.refusals[0]).toMatchObject({ code: 'governance-invalid', message: expect.stringMatching(/^Line 1, column 1: /) });
  });
});
