import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@gated-flow/yaml';
import { describe, expect, it } from 'vitest';
import { HEAD } from './loading.js';
import { scratchFolder } from './scratch.js';

const top = join(import.meta.dirname, '../../..');
const action = parseYaml(readFileSync(join(top, 'action.yml'), 'utf8'));
const built = existsSync(join(top, 'packages/contract/dist/agentcontract.js')) && existsSync(join(top, 'runtime/dist/flow.js'));

interface Step {
  readonly shell: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the steps of action.yml as the runner does: expressions replaced, each by bash, until one fails. */
function runAction(inputs: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>) {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const given: Record<string, string> = { 'working-directory': '.', ...inputs };
  const steps = action.ok ? (action.value as { runs: { steps: Step[] } }).runs.steps : [];
  const summary = join(folder, 'summary.md');
  const outputs = join(folder, 'outputs');
  let log = '';
  for (const { run, env } of steps) {
    const filled = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        value
          .replace(/\$\{\{ github\.action_path \}\}/, top)
          .replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input: string) => given[input] ?? ''),
      ]),
    );
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs, ...filled },
    });
    log += stdout + stderr;
    if (status !== 0) return { code: status, log, summary: textOf(summary), outputs: textOf(outputs) };
  }
  return { code: 0, log, summary: textOf(summary), outputs: textOf(outputs) };
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const contract = `${HEAD}must_not: [contain "foo"]\n`;
const line = (output: string) => `${JSON.stringify({ input: 'q', output, tool_calls: [], duration_ms: 1, cost_usd: 0 })}\n`;

// It runs the built commands, which `npm ci` makes.
describe.skipIf(!built)('[C-14] the action', () => {
  const files = { 'c.contract.yaml': contract, 'good.jsonl': line('fine'), 'bad.jsonl': line('fine') + line('foo ```\n# not a heading') };

  it('validates, annotates and writes a summary', () => {
    const good = runAction({ command: 'validate', args: 'c.contract.yaml\ngood.jsonl\n' }, files);
    expect([good.code, good.outputs]).toEqual([0, 'exit-code=0\n']);
    const bad = runAction({ command: 'validate', args: 'c.contract.yaml\nbad.jsonl' }, files);
    expect([bad.code, bad.outputs]).toEqual([1, 'exit-code=1\n']);
    expect(bad.log).toContain('::error file=bad.jsonl,line=2,title=must_not[0] (block)::');
    expect(bad.summary).toMatch(/^### agentcontract validate: exit 1\n\n```text\nbad\.jsonl:2: error: must_not\[0\] \(block\): /);
  });

  it('[C-14] leaves a format that was asked for, however it is written', () => {
    for (const format of ['--format=json', '--format\njson']) {
      const asked = runAction({ command: 'validate', args: `c.contract.yaml\nbad.jsonl\n${format}` }, files);
      expect([asked.code, JSON.parse(asked.log)]).toMatchObject([1, { kind: 'agentcontract.report' }]);
    }
  });

  it('hands no argument to a shell', () => {
    const evil = runAction({ command: 'validate', args: 'c.contract.yaml\n$(touch owned)`touch owned`;touch owned' }, files);
    expect(evil.code).toBe(2);
    expect(evil.log).toContain('it is not there');
  });

  it('checks an assembly, and says what is wrong with the input', () => {
    const checked = runAction({ command: 'check', args: 'nowhere' }, files);
    expect(checked.code).toBe(2);
    expect(checked.log).toContain('::error title=assembly-unknown::');
    expect(checked.summary).toContain('### ✗ `nowhere`: 1 fault, nothing was run');
    expect(runAction({ command: 'deploy', args: 'x' }, files)).toMatchObject({
      code: 2,
      log: expect.stringContaining('validate, check, run'),
    });
  });
});
