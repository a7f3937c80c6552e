import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { documentIn } from '../cli/documents.js';
import { fakeIo } from '../cli/io.js';
import { plant, stage } from '../run/ground.js';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

const CONTRACT = {
  ...{ schema_version: '0.1', contract_type: 'governance', contract_name: 'g' },
  stages: { pre_tool: { rules: [{ id: 'x', program: 'touch', decision: 'deny', reason: 'No.' }] } },
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'w-'));
  roots.push(root);
  plant(join(root, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp.\n',
    'governance.contract.json': JSON.stringify(CONTRACT),
    'flows/main/FLOW.md': '---\ndescription: One\n---\n',
    'flows/main/01-a.md': stage(),
  });
  plant(join(root, 'work'), {});
  writeFileSync(
    join(root, 'script.jsonl'),
    [
      { stage: '01-a', calls: [{ tool: 'write', input: { path: '$OUTPUT', content: 'x' } }] },
      { stage: '01-a', text: 'done' },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
});

async function flow(...words: string[]) {
  const io = fakeIo({ cwd: root, env: { HOME: root, PATH: process.env['PATH'] } });
  const exit = await main([...words, '--home', join(root, 'home')], io);
  return { exit, out: io.printed(), err: io.said() };
}
const run = (...words: string[]) => flow('run', 'a', '--no-request', '--script', 'script.jsonl', '-q', ...words);
const kept = (): string[] => readdirSync(join(root, 'home/governance/probes'));
const record = (): string => {
  const [name = ''] = readdirSync(join(root, 'home/runs'));
  return readFileSync(join(root, 'home/runs', name, 'record.jsonl'), 'utf8');
};

it('[V-10] the built-in loop is observed on every surface, with the five parts of the denial semantics', async () => {
  const { exit, out, err } = await flow('governance', 'probe', 'a', '--json');
  expect([exit, err], out).toEqual([0, '']);
  const document = await documentIn(out);
  expect(document).toMatchObject({ row: 'built-in', host_honors_denial: 'observed', blocked_exit_code: 1 });
  expect(document.surfaces).toEqual({
    ...{ bash: 'observed', read: 'observed', write: 'observed', edit: 'observed', memory: 'observed', cite: 'observed' },
    ...{ 'final claim': 'observed', receipt: 'observed' },
  });
  expect(document.bypass_surfaces).toContain('programs that a command starts');
  expect(document.denial_payload_schema).toMatchObject({ required: ['decision', 'reason'] });
  expect(kept()).toHaveLength(1);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('flow-probe-'))).toEqual([]);
});

it('[V-10] what is no assembly, has no contract or names no row is misuse', async () => {
  expect((await flow('governance', 'probe', 'nope')).exit).toBe(2);
  expect((await flow('governance', 'probe', 'a', '--agent', 'nobody')).err).toContain('There is no row "nobody". There are: built-in');
  rmSync(join(root, 'a/governance.contract.json'));
  expect((await flow('governance', 'probe', 'a')).err).toContain('nothing to deny');
});

it('[V-10 V-13] a contract is checked as enforced once its moments were seen', async () => {
  const { out } = await flow('governance', 'check', 'a/governance.contract.json');
  expect(out).toMatch(/^pre_tool +enforced$/m);
});

it('[V-10] a run probes once in a home, and relies on it', async () => {
  expect((await run()).exit).toBe(0);
  expect(kept()).toHaveLength(1);
  expect(record()).not.toContain('advisory');
});

it('[V-10] where a denial was not honoured a run is refused, unless advisory is accepted, which its record says', async () => {
  expect((await run()).exit).toBe(0);
  rmSync(join(root, 'home/runs'), { recursive: true });
  const [name = ''] = kept();
  const path = join(root, 'home/governance/probes', name);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"bash": "observed"', '"bash": "unverified"'));
  const refused = await run();
  expect(refused.exit).toBe(2);
  expect(refused.err).toContain('pre_tool');
  expect(refused.err).toContain('--accept-advisory');
  expect((await flow('governance', 'check', 'a/governance.contract.json')).out).toMatch(/^pre_tool +advisory/m);
  expect((await run('--accept-advisory')).exit).toBe(0);
  expect(record()).toMatch(/"event":"governance".*"stage_name":"pre_tool","decision":"advisory"/);
});
