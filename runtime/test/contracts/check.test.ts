import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssembly } from '@gated-flow/assembly';
import { createRedactor } from '@gated-flow/text';
import { afterAll, describe, expect, it } from 'vitest';
import { checkDocument } from '../../src/cli/check/document.js';
import { planText } from '../../src/cli/check/text.js';
import { conductOf } from '../../src/contract/conduct.js';
import { createDisk } from '../../src/io/disk.js';
import { openConfigs } from '../../src/io/home-config.js';
import { prepare, type Preparation } from '../../src/plan/prepare.js';
import { plant, stage, type Tree } from '../run/ground.js';
import { contract, NO_FOO } from './ground.js';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

async function check(tree: Tree, models: 'provider' | 'rehearsal' = 'rehearsal'): Promise<Preparation> {
  const root = mkdtempSync(join(tmpdir(), 'flow-contract-'));
  roots.push(root);
  plant(root, {
    'a/ASSEMBLY.md': '---\n---\nHelp.\n',
    'a/flows/main/FLOW.md': '---\ndescription: A flow\n---\n',
    'a/flows/main/01-a.md': stage(),
  });
  plant(join(root, 'a'), tree);
  writeFileSync(join(root, 'x'), '');
  return prepare(
    {
      ...{ purpose: 'check', target: join(root, 'a'), request: { words: [], none: false }, home: join(root, 'home'), in: root, slots: [] },
      ...{ optionNames: [], options: {}, route: false, models },
    },
    {
      ...{ env: { PATH: '/bin:/usr/bin', OPENAI_API_KEY: 'k' }, cwd: root, disk: createDisk(), readConfig: openConfigs(), readAssembly },
      stdin: { isTerminal: true, read: async () => new Uint8Array(), notice: () => {} },
      discover: async () => null,
    },
  );
}

const refusals = (preparation: Preparation) =>
  preparation.ok ? [] : preparation.refusals.map(({ code, path, message }) => `${code} ${path} ${message}`);
const warnings = (preparation: Preparation) => (preparation.ok ? preparation.plan.warnings : []);

describe('[C-1 C-2] contracts of an assembly', () => {
  it('[C-1 A-18] are refused with path, line and column, all together, in subflows too', async () => {
    const found = refusals(
      await check({
        'a.contract.yaml': contract('limits: {max_tokns: 5}\n'),
        'subflows/help/FLOW.md': '---\ndescription: Helps\n---\n',
        'subflows/help/01-x/STAGE.md': stage(),
        'subflows/help/01-x/x.contract.yaml': contract('spec-version: 9.0.0\n').replace('spec-version: 0.1.0\n', ''),
      }),
    );
    expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'contract-invalid a.contract.yaml',
      'contract-invalid subflows/help/01-x/x.contract.yaml',
    ]);
    for (const line of found) expect(line).toMatch(/Line \d+, column \d+: /);
  });

  it('[C-2 A-8] extend only what lies in the assembly, and fetch nothing', async () => {
    const extending = (target: string): Promise<Preparation> => check({ 'a.contract.yaml': contract(`extends: ${target}\n`) });
    expect(refusals(await extending('../out.contract.yaml'))[0]).toContain('leads out of the assembly');
    expect(refusals(await extending('/etc/x.contract.yaml'))[0]).toContain('leads out of the assembly');
    expect(refusals(await extending('https://example.org/x.contract.yaml'))[0]).toContain('nothing is fetched for a run');
    expect(refusals(await extending('./contracts/x.contract.yaml'))[0]).toContain('There is no file contracts/x.contract.yaml');
    const weaker = await check({
      'a.contract.yaml': contract('extends: ./contracts/x.contract.yaml\nlimits: {max_steps: 9}\n'),
      'contracts/x.contract.yaml': contract('limits: {max_steps: 3}\n'),
    });
    expect(refusals(weaker)).toHaveLength(1);
  });

  it('[C-8] run only plugins that are files of the assembly', async () => {
    const with_ = (plugin: string): string => contract(`assert:\n  - {name: p, description: x, type: custom, plugin: ${plugin}}\n`);
    expect(refusals(await check({ 'a.contract.yaml': with_('some-package') }))[0]).toContain('is no file of the assembly');
    expect(refusals(await check({ 'a.contract.yaml': with_('./contracts/p.mjs') }))).toHaveLength(1);
    expect(
      refusals(await check({ 'a.contract.yaml': with_('./contracts/p.mjs'), 'contracts/p.mjs': 'export const validate = () => true;' })),
    ).toEqual([]);
  });
});

describe('[I-6] a check', () => {
  it('[I-6 C-4] warns of clauses nobody can evaluate, with the nearest sentence or a judge', async () => {
    const tree = { 'a.contract.yaml': contract('must:\n  - be helpful\n  - {text: be kind, judge: llm}\n') };
    const [first, ...others] = warnings(await check(tree)).filter(({ path }) => path === 'a.contract.yaml');
    expect(first?.message).toMatch(
      /^Line 6, column \d+: Nobody can evaluate must\[0\], "be helpful"\. It holds nothing back\. .*judge: llm/,
    );
    expect(first?.message).not.toContain('--fact');
    expect(others).toEqual([]);
    const strict = await check({ ...tree, 'ASSEMBLY.md': '---\nunevaluated: fail\n---\nHelp.\n' });
    expect(
      warnings(strict)
        .map(({ message }) => message)
        .join('\n'),
    ).toContain('It counts as broken');
    const unjudged = warnings(await check(tree, 'provider')).map(({ message }) => message);
    expect(unjudged.join('\n')).toContain('Nobody can evaluate must[1], "be kind"');
  });

  it('[G-10 C-13] names the contracts that hold for each stage', async () => {
    const preparation = await check({
      'a.contract.yaml': NO_FOO,
      'flows/main/02-b/STAGE.md': stage(),
      'flows/main/02-b/b.contract.yaml': NO_FOO,
    });
    const document = checkDocument('a', preparation);
    expect(document.stages.map(({ contracts }) => contracts)).toEqual([
      ['a.contract.yaml'],
      ['a.contract.yaml', 'flows/main/02-b/b.contract.yaml'],
    ]);
    if (!preparation.ok) throw new Error('refused');
    const redactor = createRedactor([]);
    const text = planText(preparation.plan, { style: { redactor, color: false, width: 100 }, modelNeeded: false });
    expect(text).toContain('every agent is held to a.contract.yaml\n   02-b is held to flows/main/02-b/b.contract.yaml');
  });

  it('[P-1 C-13] what is asked is told as plain sentences, each once, and never a limit', async () => {
    const preparation = await check({
      'a.contract.yaml': contract(
        'must:\n  - name the file\nmust_not:\n  - reveal a password.\ncan:\n  - ask the reader\nlimits: {max_steps: 3}\n',
      ),
    });
    if (!preparation.ok) throw new Error('refused');
    const [one] = [...preparation.plan.contracts.values()];
    if (!one) throw new Error('no contract');
    expect(conductOf([one, one])).toEqual(['You must name the file.', 'You must not reveal a password.', 'You may ask the reader.']);
  });
});
