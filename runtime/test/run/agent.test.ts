import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isLiving, readProcess } from '../../src/io/process-table.js';
import type { Message, ToolResult } from '../../src/ports/model.js';
import { leapingClock } from '../io/leaping-clock.js';
import { calls, clear, go, leapsAt, type Line, type Ran, sh, stage, stops, wrote } from './ground.js';

afterAll(clear);

const S = '01-word';

/** Every tool result the model was ever given, in order. */
function results(ran: Ran): readonly ToolResult[] {
  return messages(ran).flatMap((message) => (message.role === 'tool' ? message.results : []));
}

function messages(ran: Ran): readonly Message[] {
  return ran.requests.at(-1)?.messages ?? [];
}

const several = (tools: readonly { tool: string; input: object }[]): Line => ({ stage: S, calls: tools });

describe('the held agent', () => {
  it('[L-1 L-2] one session: what was said before is never altered or dropped, and the file says the same', async () => {
    const ran = await go({ [`${S}/STAGE.md`]: stage(), [`${S}/gate`]: sh('grep -q good "$1" || { echo again; exit 1; }') }, [
      wrote(S, 'bad'),
      stops(S),
      wrote(S, 'good'),
      stops(S),
    ]);
    for (const [index, request] of ran.requests.entries()) {
      const before = ran.requests[index - 1]?.messages ?? [];
      expect(request.messages.slice(0, before.length)).toEqual(before);
      expect(request.system).toBe(ran.requests[0]?.system);
    }
    const lines = ran
      .read(`stages/${S}/1/session.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; text?: string });
    expect(lines.map(({ kind }) => kind)).toEqual([
      'system',
      'tools',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(lines[0]?.text).toBe(ran.requests[0]?.system);
    expect(ran.told('stage_end')[0]?.session?.lines).toBe(10);
  });

  it('[L-3] an answer that was cut off is no stop and spends no retry', async () => {
    const ran = await go({ [`${S}.md`]: stage('W.', 'retries: 0\n') }, [
      { stage: S, text: 'half', stop: 'length' },
      wrote(S, 'x'),
      stops(S),
    ]);
    expect(ran.cause()).toBe('success');
    expect(messages(ran).filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  it('[L-3] ten in a row are a fault', async () => {
    const ran = await go(
      { [`${S}.md`]: stage() },
      Array.from({ length: 12 }, () => ({ stage: S, text: 'x', stop: 'length' })),
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2 });
    expect(ran.told('turn')).toHaveLength(10);
  });

  it('[L-4] a provider’s passing trouble is retried and recorded, and is not the agent’s work', async () => {
    const ran = await go({ [`${S}.md`]: stage('W.', 'retries: 0\n') }, [
      { stage: S, stop: 'error', status: 529, retry_after: 0 },
      { stage: S, stop: 'error', status: 429, retry_after: 0 },
      wrote(S, 'x'),
      stops(S),
    ]);
    expect(ran.cause()).toBe('success');
    expect(ran.told('provider_retry').map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 529],
      [2, 429],
    ]);
    expect(ran.told('turn')).toHaveLength(2);
  });

  it('[L-4] trouble that stays is a fault with the provider’s words', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [{ stage: S, stop: 'error', status: 401, message: 'bad key' }]);
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, reason: 'scripted/script: the call failed (401): bad key.' });
  });

  it('[L-5] the agent’s clock ends a command with everything it started', async () => {
    const ran = await go(
      { [`${S}.md`]: stage('W.', 'timeout: 1\n') },
      [calls(S, 'bash', { command: 'sleep 61 & echo $! > "$PWD/child"; sleep 61' })],
      { machine: leapsAt('child') },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'timeout', exit: 1 });
    expect(lives(readFileSync(join(ran.root, 'work/child'), 'utf8'))).toBe(false);
  });

  it('[L-5] what stands behind it in the turn is not run', async () => {
    const turn = several([
      { tool: 'bash', input: { command: 'echo > "$PWD/up"; sleep 61' } },
      { tool: 'write', input: { path: 'late', content: 'x' } },
      { tool: 'refuse', input: { reason: 'late' } },
    ]);
    const ran = await go({ [`${S}.md`]: stage('W.', 'timeout: 1\n') }, [turn], { machine: leapsAt('up') });
    expect(ran.outcome.ending).toMatchObject({ cause: 'timeout', exit: 1 });
    expect(existsSync(join(ran.root, 'work/late'))).toBe(false);
    expect(ran.told('tool_call')).toEqual([]);
    const last: unknown = JSON.parse(ran.read(`stages/${S}/1/session.jsonl`).trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ kind: 'tool', results: [{}, { output: 'not run' }, { output: 'not run' }] });
  });

  it.each(['before', 'gate'])('[L-5] %s does not spend the agent’s clock', async (program) => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage('W.', 'timeout: 3000\n'), [`${S}/${program}`]: sh(': "$1"; echo > "$PWD/up"') },
      [wrote(S, 'x'), stops(S)],
      // An hour goes by while the program runs, for all but the program itself.
      { machine: (machine, root) => ({ ...machine, clock: leapingClock(() => existsSync(join(root, 'work/up'))) }) },
    );
    expect(ran.cause()).toBe('success');
  });

  it('[L-6] what bash left running lives until the agent stops, and no longer', async () => {
    const ran = await go(
      {
        [`${S}/STAGE.md`]: stage(),
        [`${S}/gate`]: sh('stat="/proc/$(cat "$PWD/pid")/stat"; [ ! -e "$stat" ] || grep -q ") Z " "$stat" || { echo alive; exit 1; }'),
      },
      [
        calls(S, 'bash', { command: 'sleep 61 >/dev/null & echo $! > "$PWD/pid"' }),
        calls(S, 'bash', { command: 'kill -0 "$(cat "$PWD/pid")" && echo still here > "$OUTPUT"' }),
        stops(S),
      ],
    );
    expect(ran.cause()).toBe('success');
    expect(ran.read(`stages/${S}/1/1/output.txt`)).toBe('still here\n');
  });

  it('[L-6 E-2] even when it called setsid', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [
      calls(S, 'bash', {
        command:
          'setsid sh -c \'echo $$ > "$PWD/pid"; exec sleep 61\' >/dev/null 2>&1 & while [ ! -s "$PWD/pid" ]; do sleep 0.05; done; echo x > "$OUTPUT"',
      }),
      stops(S),
    ]);
    expect(ran.cause()).toBe('success');
    expect(lives(readFileSync(join(ran.root, 'work/pid'), 'utf8'))).toBe(false);
  });

  it('[L-6] bad arguments and unknown tools come back as results', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [
      several([
        { tool: 'read', input: {} },
        { tool: 'fly', input: {} },
        { tool: 'bash', input: { command: 5 } },
      ]),
      wrote(S, 'x'),
      stops(S),
    ]);
    expect(ran.cause()).toBe('success');
    expect(
      results(ran)
        .slice(0, 3)
        .every(({ error }) => error),
    ).toBe(true);
    expect(results(ran)[1]?.output).toBe('There is no tool "fly". The tools are: read, write, edit, bash, refuse, fault, clean-temp.');
  });

  it.each([
    ['its session', 'find "$RECORDS" -name session.jsonl -delete'],
    ['an earlier output', 'for f in "$RECORDS"/runs/*/stages/01-word/1/1/output.txt; do echo more >> "$f"; done'],
    ['the assembly', 'for f in "$RECORDS"/runs/*/assembly/ASSEMBLY.md; do echo more >> "$f"; done'],
  ])('[R-1 R-8] an agent that changes the evidence behind its run, %s, does not succeed', async (_, command) => {
    const ran = await go(
      { [`${S}.md`]: stage(), '02-more.md': stage() },
      [wrote(S, 'x'), stops(S), calls('02-more', 'bash', { command }), wrote('02-more', 'y'), stops('02-more')],
      { env: (root) => ({ RECORDS: join(root, 'home') }) },
    );
    expect(ran.outcome).toMatchObject({ ending: { cause: 'fault', exit: 2 }, output: null });
    expect(ran.told('run_end')).toMatchObject([{ cause: 'fault', exit: 2 }]);
  });

  it('[L-9] refuse ends the stage: no checks, no retry, the words kept', async () => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage(), [`${S}/gate`]: sh('exit 0'), [`${S}/failure`]: sh('printf "%s:" "$CAUSE"; cat "$REASON"') },
      [wrote(S, 'x'), calls(S, 'refuse', { reason: 'the file is empty' })],
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'refused', exit: 1, reason: 'the file is empty' });
    expect(ran.told('check')).toEqual([]);
    expect(ran.read(ran.told('hook')[0]?.capture ?? '')).toBe('refused:the file is empty');
  });

  it('[L-9] fault is exit 2', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [calls(S, 'fault', { reason: 'git is missing' })]);
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, reason: 'git is missing' });
  });

  it('[L-11] a call that ends the work is the last: what stands behind it in the turn is not run', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [
      several([
        { tool: 'bash', input: { command: 'echo 1 >> "$PWD/ran"' } },
        { tool: 'refuse', input: { reason: 'no' } },
        { tool: 'bash', input: { command: 'echo 2 >> "$PWD/ran"' } },
      ]),
    ]);
    expect(readFileSync(join(ran.root, 'work/ran'), 'utf8')).toBe('1\n');
    const session = ran.read(`stages/${S}/1/session.jsonl`).trim().split('\n').at(-1) ?? '';
    const last: unknown = JSON.parse(session);
    expect(last).toMatchObject({ kind: 'tool', results: [{}, { output: 'Noted.' }, { output: 'not run' }] });
    expect(ran.told('turn')).toHaveLength(1);
  });

  it('[L-7] calls that change something run in the order called', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [
      several([
        { tool: 'write', input: { path: 'f', content: 'one' } },
        { tool: 'read', input: { path: 'f' } },
        { tool: 'write', input: { path: 'f', content: 'two' } },
        { tool: 'read', input: { path: 'f' } },
      ]),
      wrote(S, 'x'),
      stops(S),
    ]);
    expect(results(ran)[1]?.output).toContain('one');
    expect(results(ran)[3]?.output).toContain('two');
  });

  it('[L-10 S-5] clean-temp empties $TMP, and only that', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [
      calls(S, 'bash', { command: 'mkdir "$TMP/d"; echo x > "$TMP/d/f"; echo keep > "$PWD/k"' }),
      calls(S, 'clean-temp', {}),
      calls(S, 'bash', { command: 'ls -A "$TMP" | wc -l > "$OUTPUT"' }),
      stops(S),
    ]);
    expect(ran.read(`stages/${S}/1/1/output.txt`).trim()).toBe('0');
    expect(existsSync(join(ran.root, 'work/k'))).toBe(true);
  });

  it('[S-5] $TMP past its bound is a fault', async () => {
    const ran = await go(
      { [`${S}.md`]: stage() },
      [calls(S, 'bash', { command: 'head -c 3000 /dev/zero > "$TMP/big"' }), wrote(S, 'x'), stops(S)],
      {
        root: { 'ASSEMBLY.md': '---\ntmp-max-bytes: 2000\n---\nHelp.\n' },
      },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2 });
    expect(ran.outcome.ending.reason).toContain('tmp-max-bytes');
  });

  it('[A-16] a denied call is a result, recorded, and the agent goes on', async () => {
    const ran = await go({ [`${S}.md`]: stage('W.', 'access:\n  write: [OUTPUT]\n  bash: [ls]\n') }, [
      calls(S, 'bash', { command: 'rm -rf "$PWD"' }),
      calls(S, 'bash', { command: 'ls; $(echo rm) x' }),
      calls(S, 'read', { path: '$INPUT/request.txt' }),
      calls(S, 'write', { path: 'elsewhere', content: 'x' }),
      calls(S, 'bash', { command: 'ls "$INPUT" && echo fine' }),
      wrote(S, 'ok', { expect: 'request.txt' }),
      stops(S),
    ]);
    expect(ran.cause()).toBe('success');
    expect(ran.told('tool_call').map(({ tool, decision }) => `${tool} ${decision}`)).toEqual([
      'bash denied',
      'bash denied',
      'read denied',
      'write denied',
    ]);
    expect(existsSync(join(ran.root, 'work/elsewhere'))).toBe(false);
  });

  it('[I-5] a cost limit is asked before each call of a model', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [wrote(S, 'x'), stops(S)], { invocation: { maxCost: '0', models: 'scripted' } }).catch(
      (error: Error) => error,
    );
    if (ran instanceof Error) expect(ran.message).toMatch(/max-cost/);
    else expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1 });
  });

  it('[I-5] the deadline ends the run as timeout, exit 1, and the failure hook still runs', async () => {
    const ran = await go(
      { [`${S}/STAGE.md`]: stage(), [`${S}/failure`]: sh('echo "$CAUSE"') },
      [calls(S, 'bash', { command: 'echo > "$PWD/up"; sleep 61' })],
      { invocation: { deadline: '1' }, machine: leapsAt('up') },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'timeout', exit: 1 });
    expect(ran.outcome.ending.reason).toContain('--deadline');
    expect(ran.read(ran.told('hook')[0]?.capture ?? '')).toBe('timeout\n');
  });

  it('[P-3 O-6] the prompt is kept as sent, and only its owner may read the run', async () => {
    const ran = await go({ [`${S}.md`]: stage() }, [wrote(S, 'x'), stops(S)]);
    expect(ran.read(`stages/${S}/1/system.txt`)).toBe(ran.requests[0]?.system);
    expect(ran.requests[0]?.messages).toEqual([{ role: 'user', text: ran.read(`stages/${S}/1/first-turn.txt`) }]);
    for (const path of ['', 'record.jsonl', `stages/${S}/1/session.jsonl`, `stages/${S}/1/1/output.txt`, 'request.txt']) {
      expect(statSync(join(ran.outcome.folder, path)).mode & 0o077, path).toBe(0);
    }
  });
});

function lives(pid: string): boolean {
  const entry = readProcess(Number(pid));
  return entry !== null && isLiving(entry);
}
