import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { verifyRun } from '@gated-flow/record';
import { createAuditVerifier } from '@gated-flow/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { DiskError } from '../../src/ports/disk.js';
import { calls, clear, go, sh, stage, stops, wrote } from '../run/ground.js';
import { auditOf, contract, NO_FOO, told } from './ground.js';

afterAll(clear);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const held = (clauses: string, front = ''): Record<string, string> => ({
  '01-a/STAGE.md': stage('Write.', front),
  '01-a/x.contract.yaml': contract(clauses),
});

describe('[C-13] a candidate', () => {
  it('[C-13 K-14 R-4 C-10] holds the agent like a failing check, spends a retry, and tells and audits every round', async () => {
    const ran = await go({ '01-a/STAGE.md': stage(), '01-a/x.contract.yaml': NO_FOO }, [
      wrote('01-a', 'foo'),
      stops('01-a'),
      wrote('01-a', 'bar'),
      stops('01-a'),
    ]);
    expect(ran.cause()).toBe('success');
    expect(told(ran)).toEqual(['1 x.contract.yaml/no_foo block']);
    expect(ran.told('check').map(({ check, exit, retry }) => `${retry} ${check} ${exit}`)).toEqual([
      '1 output 0',
      '1 contract 1',
      '2 output 0',
      '2 contract 0',
    ]);
    const entries = auditOf(ran);
    expect(entries.map(({ outcome, output_hash, input_hash }) => [outcome, output_hash, input_hash])).toEqual([
      ['violation', sha256('foo'), sha256('the request')],
      ['pass', sha256('bar'), sha256('the request')],
    ]);
    expect(new Set(entries.map(({ run_id }) => run_id))).toEqual(new Set([ran.told('contract')[0]?.audit_run_id]));
    expect(entries[0]?.run_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ran.read('manifest.sha256')).toContain('  audit.jsonl');
    expect(await verifyRun(ran.outcome.folder, {})).toMatchObject({ verified: true, differences: [] });
  });

  it('[C-13 P-2] tells the agent the clause in its own words and nothing of what judges', async () => {
    const ran = await go(held('must_not:\n  - contain "foo"\n'), [
      wrote('01-a', 'foo'),
      stops('01-a'),
      wrote('01-a', 'bar'),
      stops('01-a'),
    ]);
    const sentBack = ran.requests[2]?.messages.at(-1);
    expect(sentBack).toMatchObject({ role: 'user' });
    const text = sentBack?.role === 'user' ? sentBack.text : '';
    expect(text).toContain('- You must not contain "foo"');
    expect(text).not.toMatch(/contract|clause|judge|block|gate|stage|flow/i);
  });

  it('[C-13 E-1] is rejected, not exhausted, when the retries are spent, and is shown only when asked for', async () => {
    const ran = await go(held('must_not:\n  - contain "foo"\n', 'retries: 1\n'), [
      wrote('01-a', 'foo'),
      stops('01-a'),
      wrote('01-a', 'foo'),
      stops('01-a'),
    ]);
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1, failed: 'contract' });
    expect(told(ran)).toHaveLength(2);
    expect(ran.told('stage_end')[0]).toMatchObject({ sealed: false, cause: 'rejected', attempts: 2 });
    expect(ran.outcome.output).toBeNull();
  });

  it('[C-13 K-14] is judged after the gate and before success, and not at all when the gate says no', async () => {
    const ran = await go(
      {
        '01-a/STAGE.md': stage(),
        '01-a/x.contract.yaml': NO_FOO,
        '01-a/gate.sh': sh('grep -q ok "$1"'),
        '01-a/success.sh': sh('true'),
      },
      [wrote('01-a', 'foo'), stops('01-a'), wrote('01-a', 'ok foo'), stops('01-a'), wrote('01-a', 'ok'), stops('01-a')],
    );
    expect(ran.cause()).toBe('success');
    const order = ran.facts.flatMap((fact) =>
      fact.event === 'check' ? [`${fact.check} ${fact.exit}`] : fact.event === 'hook' ? [fact.hook] : [],
    );
    expect(order).toEqual(['output 0', 'gate 1', 'output 0', 'gate 0', 'contract 1', 'output 0', 'gate 0', 'contract 0', 'success']);
    expect(auditOf(ran)).toHaveLength(2);
  });

  it('[C-13 C-7] that only warns passes, and the warning is told', async () => {
    const ran = await go(held('must_not:\n  - contain "foo"\non_violation: {default: warn}\n'), [wrote('01-a', 'foo'), stops('01-a')]);
    expect(ran.cause()).toBe('success');
    expect(told(ran)).toEqual(['1 x.contract.yaml/must_not[0] warn']);
  });

  it('[C-13] is judged by the contracts of assembly, flow and stage in this order, each with its own entry', async () => {
    const rule = (word: string): string => contract(`must_not:\n  - contain "${word}"\n`);
    const ran = await go(
      { '01-a/STAGE.md': stage(), '01-a/s.contract.yaml': rule('three'), 'f.contract.yaml': rule('two'), '02-b/STAGE.md': stage() },
      [wrote('01-a', 'one two three'), stops('01-a'), wrote('01-a', 'ok'), stops('01-a'), wrote('02-b', 'three'), stops('02-b')],
      { root: { 'a.contract.yaml': rule('one') } },
    );
    expect(ran.cause()).toBe('success');
    expect(told(ran).map((line) => line.slice(2, 3))).toEqual(['a', 'f', 's']);
    const names = ['a.contract.yaml', 'flows/main/f.contract.yaml', 'flows/main/01-a/s.contract.yaml'];
    expect(auditOf(ran).map((entry) => entry.contract)).toEqual([...names, ...names, ...names.slice(0, 2)]);
    expect(new Set(auditOf(ran).map(({ run_id }) => run_id)).size).toBe(5);
  });

  it("[C-13 C-2 A-8] is judged by what a contract extends, from the run's own copy", async () => {
    const ran = await go(
      { '01-a/STAGE.md': stage(), '01-a/x.contract.yaml': contract('extends: ../../../contracts/base.contract.yaml\n') },
      [wrote('01-a', 'foo'), stops('01-a'), wrote('01-a', 'bar'), stops('01-a')],
      { root: { 'contracts/base.contract.yaml': NO_FOO } },
    );
    expect(ran.cause()).toBe('success');
    expect(told(ran)).toEqual(['1 x.contract.yaml/no_foo block']);
  });

  it('[C-8 C-13] is judged by a plugin of the assembly', async () => {
    const ran = await go(
      {
        '01-a/STAGE.md': stage(),
        '01-a/x.contract.yaml': contract(
          'assert:\n  - {name: polite, description: x, type: custom, plugin: ../../../contracts/polite.mjs}\n',
        ),
      },
      [wrote('01-a', 'no'), stops('01-a'), wrote('01-a', 'please'), stops('01-a')],
      { root: { 'contracts/polite.mjs': 'export const validate = ({ output }) => output.includes("please");\n' } },
    );
    expect(ran.cause()).toBe('success');
    expect(told(ran)).toEqual(['1 x.contract.yaml/polite block']);
  });

  it('[C-13 C-4] is held back by a clause nobody can evaluate only under `unevaluated: fail`, and lists it either way', async () => {
    const be = held('must:\n  - be helpful\n', 'retries: 0\n');
    const lines = [wrote('01-a', 'x'), stops('01-a')];
    const listed = await go(be, lines);
    expect(listed.cause()).toBe('success');
    expect(auditOf(listed)[0]?.unevaluated).toEqual(['must[0]']);
    const failed = await go(be, lines, { root: { 'ASSEMBLY.md': '---\nunevaluated: fail\n---\nHelp.\n' } });
    expect(failed.outcome.ending).toMatchObject({ cause: 'rejected' });
    expect(told(failed)).toEqual(['1 x.contract.yaml/must[0] block']);
  });
});

describe('[C-13] before the agent', () => {
  it('[C-13 C-3] a failed `requires` comes after `before`, and no turn is ever made', async () => {
    const ran = await go(
      { ...held('requires:\n  - input contains "please"\n'), '01-a/before.sh': sh('true'), '01-a/failure.sh': sh('true') },
      [wrote('01-a', 'x')],
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1 });
    expect(ran.requests).toEqual([]);
    expect(ran.told('hook').map(({ hook }) => hook)).toEqual(['before', 'failure']);
    expect(told(ran)).toEqual(['1 x.contract.yaml/requires[0] block']);
    expect(auditOf(ran).map(({ outcome, output_hash }) => [outcome, output_hash])).toEqual([['violation', sha256('')]]);
  });

  it('[C-13 C-3] a `requires` that only warns lets it run and is told once', async () => {
    const ran = await go(held('requires:\n  - {text: input contains "please", on_fail: warn}\n'), [wrote('01-a', 'x'), stops('01-a')]);
    expect(ran.cause()).toBe('success');
    expect(told(ran)).toEqual(['1 x.contract.yaml/requires[0] warn']);
  });
});

describe('[C-13 C-7] while the agent works', () => {
  it('[C-13 C-7 L-7] the call that would cross a limit does not happen, and ends the stage at once', async () => {
    const ran = await go(held('limits: {max_tool_calls: 1}\n'), [
      {
        stage: '01-a',
        calls: [
          { tool: 'bash', input: { command: 'touch one' } },
          { tool: 'bash', input: { command: 'touch two' } },
        ],
      },
      wrote('01-a', 'x'),
    ]);
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', failed: 'contract' });
    expect(ran.requests).toHaveLength(1);
    expect(ran.told('tool_call')).toMatchObject([{ tool: 'bash', decision: 'denied' }]);
    expect(told(ran)).toEqual(['1 x.contract.yaml/max_tool_calls block']);
    expect(auditOf(ran)).toMatchObject([{ outcome: 'violation', output_hash: sha256('') }]);
    const { existsSync } = await import('node:fs');
    expect([existsSync(join(ran.root, 'work/one')), existsSync(join(ran.root, 'work/two'))]).toEqual([true, false]);
  });

  it('[C-13] a broken invariant about commands or files stops the command', async () => {
    const { existsSync } = await import('node:fs');
    const command = await go(held('invariant:\n  - does not run a command matching /touch/\n'), [
      calls('01-a', 'bash', { command: 'touch one' }),
    ]);
    expect(command.cause()).toBe('rejected');
    expect(existsSync(join(command.root, 'work/one'))).toBe(false);
    const file = await go(held('invariant:\n  - does not change files under "src"\n'), [
      calls('01-a', 'write', { path: 'src/../src/x', content: 'x' }),
    ]);
    expect(file.cause()).toBe('rejected');
    expect(existsSync(join(file.root, 'work/src'))).toBe(false);
  });

  it('[C-13 C-7] control tools are no tool calls, and the output itself is no changed file', async () => {
    const ran = await go(
      {
        '01-a/STAGE.md': stage('Write.\n\n## Checklist\n\n- One'),
        '01-a/x.contract.yaml': contract('limits: {max_tool_calls: 1}\ninvariant:\n  - changes no files\n'),
      },
      [wrote('01-a', 'x'), calls('01-a', 'mark', { item: 1, state: 'done', evidence: 'seen' }), stops('01-a')],
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'success' });
  });

  it('[C-7] spent tokens and dollars make no next call, and what is left is the cap', async () => {
    const used = { input: 5, output: 60, cache_read: 0, cache_write: 0 };
    const tokens = await go(held('limits: {max_tokens: 100}\n'), [
      wrote('01-a', 'x', { usage: used }),
      wrote('01-a', 'y', { usage: { ...used, output: 40 } }),
      stops('01-a'),
    ]);
    expect(tokens.cause()).toBe('rejected');
    expect(tokens.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([100, 40]);
    const dollars = await go(held('limits: {max_cost_usd: 0.02}\n'), [wrote('01-a', 'x'), wrote('01-a', 'y'), stops('01-a')], {
      costUsd: 0.01,
    });
    expect(dollars.cause()).toBe('rejected');
    expect(dollars.requests).toHaveLength(2);
  });

  it('[C-7] steps are turns, over all rounds; a limit that only warns is recorded once and goes on', async () => {
    const lines = [wrote('01-a', 'x'), stops('01-a')];
    const blocked = await go(held('limits: {max_steps: 1}\n'), lines);
    expect([blocked.cause(), blocked.requests.length]).toEqual(['rejected', 1]);
    const warned = await go(held('limits: {max_steps: 1}\non_violation: {default: warn}\n'), lines);
    expect([warned.cause(), told(warned)]).toEqual(['success', ['1 x.contract.yaml/max_steps warn']]);
  });

  it('[C-7] the time limit ends what takes longer, as rejected and not as a timeout', async () => {
    const ran = await go(held('limits: {max_latency_ms: 300}\n'), [calls('01-a', 'bash', { command: 'sleep 20' }), stops('01-a')]);
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', failed: 'contract' });
    expect(told(ran)).toEqual(['1 x.contract.yaml/max_latency_ms block']);
  });
});

describe('[C-10] the audit in a run', () => {
  it('[C-10 C-13] is chained, signed by the key of the environment, and verifies; nobody else gets the key', async () => {
    const ran = await go(
      held('must_not:\n  - contain "foo"\n'),
      [calls('01-a', 'bash', { command: 'echo "key:$AGENTCONTRACT_AUDIT_KEY" > "$OUTPUT"' }), stops('01-a')],
      { env: () => ({ AGENTCONTRACT_AUDIT_KEY: 'k'.repeat(32) }) },
    );
    expect(ran.read('stages/01-a/1/1/output.txt')).toBe('key:\n');
    expect(auditOf(ran)[0]?.signature).toMatch(/^[0-9a-f]{64}$/);
    const verifier = createAuditVerifier('k'.repeat(32));
    const lines = ran.read('audit.jsonl').trimEnd().split('\n');
    for (const [index, text] of lines.entries()) verifier.feed(text, { line: index + 1, whole: true });
    expect(verifier.verdict()).toMatchObject({ entries: 1, faults: [] });
  });

  it('[C-10 C-13] that cannot be written withholds the output: a fault', async () => {
    const ran = await go(held('must_not:\n  - contain "foo"\n'), [wrote('01-a', 'bar'), stops('01-a')], {
      machine: (machine) => ({
        ...machine,
        openAppend(path) {
          if (path.endsWith('audit.jsonl')) throw new DiskError('open', path, 'ENOSPC');
          return machine.openAppend(path);
        },
      }),
    });
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, failed: 'audit.jsonl' });
    expect(ran.outcome.output).toBeNull();
  });

  it('[C-13] a run without a contract has none', async () => {
    const ran = await go({ '01-a/STAGE.md': stage() }, [wrote('01-a', 'x'), stops('01-a')]);
    expect([ran.cause(), ran.has('audit.jsonl')]).toEqual(['success', false]);
  });
});
