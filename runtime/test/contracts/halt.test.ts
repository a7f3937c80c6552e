import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { trackWork } from '../../src/contract/at-work.js';
import { calls, clear, go, sh, stage, stops, type Tree, wrote } from '../run/ground.js';
import { auditOf, contract, told } from './ground.js';

afterAll(clear);

const FORBIDS = (action: string): string => contract(`must_not:\n  - contain "foo"\non_violation: {default: ${action}}\n`);
const stageWith = (action: string): Tree => ({ '01-a/STAGE.md': stage(), '01-a/x.contract.yaml': FORBIDS(action), '02-b.md': stage() });
const foo = [wrote('01-a', 'foo'), stops('01-a')];

describe('[C-9] halt_and_alert', () => {
  it('[C-9 C-13] ends the stage at once and the run with it, and says so on standard error', async () => {
    const ran = await go(stageWith('halt_and_alert'), [...foo, wrote('01-a', 'bar')]);
    expect(ran.outcome).toMatchObject({ stage: '01-a', ending: { cause: 'rejected', exit: 1 } });
    expect(ran.requests).toHaveLength(2);
    expect(ran.notices).toHaveLength(1);
    expect(ran.notices[0]).toMatch(/^ALERT: a broke must_not\[0\] of flows\/main\/01-a\/x\.contract\.yaml/);
    expect(auditOf(ran)).toMatchObject([{ violations: [{ action_taken: 'halt_and_alert' }] }]);
  });

  it('[C-9] tells the command of the home, without the key of the audit, and one that fails hides nothing', async () => {
    const ran = await go(stageWith('halt_and_alert'), foo, {
      config: `alert-command: 'cat > "$TOLD"; echo "$AGENTCONTRACT_AUDIT_KEY" >> "$TOLD"; exit 3'\n`,
      env: (root) => ({ TOLD: join(root, 'told'), AGENTCONTRACT_AUDIT_KEY: 'k'.repeat(32) }),
    });
    const heard = readFileSync(join(ran.root, 'told'), 'utf8');
    expect(heard).toContain('"kind":"agentcontract.alert"');
    expect(heard).not.toContain('kkkk');
    expect(ran.cause()).toBe('rejected');
    expect(ran.notices.at(-1)).toBe('The alert command ended with exit 3.');
  });

  it('[C-9] tells the address of the home', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding('utf8');
      request.on('data', (piece: string) => bodies.push(piece));
      request.on('end', () => response.end('ok'));
    });
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ran = await go(stageWith('halt_and_alert'), foo, { config: `alert-webhook: http://127.0.0.1:${port}/hook\n` });
    server.close();
    expect(ran.notices).toHaveLength(1);
    expect(bodies.join('')).toContain('"agentcontract.alert"');
  });

  it('[G-7 C-13] in a child run ends the run that called it too', async () => {
    const ran = await go(
      { '01-a.md': stage() },
      [
        calls('01-a', 'subflow', { calls: [{ flow: 'oracle', input: 'x' }] }),
        { ...wrote('01-say', 'foo'), flow: 'oracle' },
        { ...stops('01-say'), flow: 'oracle' },
        wrote('01-a', 'never'),
      ],
      {
        root: {
          'subflows/oracle/FLOW.md': '---\ndescription: Answers\n---\n',
          'subflows/oracle/01-say.md': stage('Say.'),
          'subflows/oracle/x.contract.yaml': FORBIDS('halt_and_alert'),
        },
      },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1 });
    expect(ran.told('subflow_call')).toMatchObject([{ cause: 'rejected' }]);
    expect(ran.requests.some(({ messages }) => JSON.stringify(messages).includes('1. oracle'))).toBe(false);
    const child = 'stages/01-a/1/1/subflows/1';
    expect(ran.has('audit.jsonl')).toBe(false);
    expect(auditOf(ran, `${child}/audit.jsonl`)).toHaveLength(1);
    expect(ran.read('manifest.sha256')).toContain(`${child}/audit.jsonl`);
  });

  it('[G-7 C-13] a child that only blocks is an answer', async () => {
    const ran = await go(
      { '01-a.md': stage() },
      [
        calls('01-a', 'subflow', { calls: [{ flow: 'oracle', input: 'x' }] }),
        { ...wrote('01-say', 'foo'), flow: 'oracle' },
        { ...stops('01-say'), flow: 'oracle' },
        wrote('01-a', 'done'),
        stops('01-a'),
      ],
      {
        root: {
          'subflows/oracle/FLOW.md': '---\ndescription: Answers\nretries: 0\n---\n',
          'subflows/oracle/01-say.md': stage('Say.'),
          'subflows/oracle/x.contract.yaml': FORBIDS('block'),
        },
      },
    );
    expect(ran.cause()).toBe('success');
  });
});

describe('[C-9] rollback', () => {
  const git = (cwd: string, ...args: string[]): string => execFileSync('git', ['-C', cwd, ...args], { encoding: 'utf8' });
  const work: Tree = { 'kept.txt': 'as it was\n', 'gone.txt': 'still here\n' };

  it("[C-9 C-13 O-7] with a tree of the run's own discards what the stage changed in it, and nothing else", async () => {
    const ran = await go(
      {
        '01-a.md': stage(),
        '02-b/STAGE.md': stage(),
        '02-b/x.contract.yaml': FORBIDS('rollback'),
        '02-b/failure.sh': sh('ls "$PWD" > "$PWD/../seen" 2>/dev/null || true'),
      },
      [
        calls('01-a', 'bash', { command: 'echo first > first.txt; echo ok > "$OUTPUT"' }),
        stops('01-a'),
        calls('02-b', 'bash', {
          command:
            'echo changed > kept.txt; rm gone.txt; echo new > new.txt; git add -A; git -c user.name=a -c user.email=a@b commit -qm x; echo foo > "$OUTPUT"',
        }),
        stops('02-b'),
      ],
      {
        isolate: 'clean',
        work,
        machine(machine) {
          return {
            ...machine,
            worktrees: {
              async open(request) {
                git(request.from, 'init', '-q');
                git(request.from, 'add', '-A');
                git(request.from, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'start');
                return machine.worktrees.open(request);
              },
            },
          };
        },
      },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected' });
    expect(told(ran)).toEqual(['1 x.contract.yaml/must_not[0] rollback']);
    const tree = /kept in (\S+)\./.exec(ran.outcome.worktree.join('\n'))?.[1] ?? '';
    expect(readFileSync(join(tree, 'kept.txt'), 'utf8')).toBe('as it was\n');
    expect([existsSync(join(tree, 'gone.txt')), existsSync(join(tree, 'new.txt')), existsSync(join(tree, 'first.txt'))]).toEqual([
      true,
      false,
      true,
    ]);
    expect(git(tree, 'log', '--format=%s').trim()).toBe('start');
  });

  it('[C-9 C-13] without one is a block that says why, and is repaired like one', async () => {
    const ran = await go(stageWith('rollback'), [...foo, wrote('01-a', 'bar'), stops('01-a'), wrote('02-b', 'x'), stops('02-b')]);
    expect(ran.cause()).toBe('success');
    expect(told(ran)).toEqual(['1 x.contract.yaml/must_not[0] block']);
    expect(auditOf(ran)[0]?.violations[0]?.details).toContain('not rolled back: the run has no tree of its own, which --isolate gives it');
  });

  it('[C-9] knows when another stage worked in the same tree, but for who called it', () => {
    const work = trackWork();
    const leave = work.begin('/run/stages/a/1');
    const child = work.begin('/run/stages/a/1/1/subflows/1/stages/x/1');
    expect([work.disturbed('/run/stages/a/1'), work.disturbed('/run/stages/a/1/1/subflows/1/stages/x/1')]).toEqual([false, false]);
    child();
    work.begin('/run/stages/b/1');
    expect([work.disturbed('/run/stages/a/1'), work.disturbed('/run/stages/b/1')]).toEqual([true, true]);
    leave();
    expect(work.disturbed('/run/stages/a/1')).toBe(false);
  });
});
