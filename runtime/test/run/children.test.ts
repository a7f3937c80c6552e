/** Child runs, with real programs on the real disk: helpers, fan-outs, and the agent that works with all flows. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { verifyRun } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import { calls, clear, go, leapsAt, type Line, sh, stage, stops, type Tree, wrote } from './ground.js';

afterAll(clear);

const FLOW = '---\ndescription: Answers a question\n---\n';
const helper = (name: string, more: Tree = {}): Tree => ({
  [`subflows/${name}/FLOW.md`]: FLOW,
  [`subflows/${name}/01-say.md`]: stage('Say it.'),
  ...more,
});
const asks = (name: string, ...asked: readonly object[]): Line => calls(name, 'subflow', { calls: asked });
/** Writes what a command prints once the record of the run holds so many events of a kind. */
const after = (count: number, event: string, command: string): Line =>
  calls('01-say', 'bash', {
    command: `until [ "$(grep -c '"event":"${event}"' ../home/runs/*/record.jsonl)" -ge ${count} ]; do sleep 0.05; done; ${command} > "$OUTPUT"`,
  });
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('subflow', () => {
  it('[G-7] runs a child with a record of its own below the attempt, and tells what it left', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('01-a', { flow: 'oracle', input: 'is it safe?' }),
        { ...wrote('01-say', 'yes, on Tuesdays'), flow: 'oracle' },
        { ...stops('01-say'), flow: 'oracle' },
        calls('01-a', 'bash', { command: 'cat "$SUBFLOWS/1/input.txt" "$SUBFLOWS/1/output.txt"' }, { expect: 'yes, on Tuesdays' }),
        wrote('01-a', 'done', { expect: 'is it safe?yes, on Tuesdays' }),
        stops('01-a'),
      ],
      { root: helper('oracle') },
    );
    expect(run.cause()).toBe('success');
    const [call] = run.told('subflow_call');
    const record = run.read('stages/01-a/1/1/subflows/1/record.jsonl');
    expect(call).toMatchObject({ stage: '01-a', retry: 1, n: 1, flow: 'oracle', depth: 1, cause: 'success', exit: 0 });
    expect(call).toMatchObject({ input: { sha256: sha256('is it safe?'), bytes: 11 }, record_sha256: sha256(record) });
    expect(call?.output).toMatchObject({ path: 'stages/01-a/1/1/subflows/1/stages/01-say/1/1/output.txt', bytes: 16 });
    expect(run.childFacts.map(({ event }) => event)).toEqual([
      ...['run_start', 'stage_start', 'prompt', 'turn', 'turn', 'check', 'stage_end', 'run_end'],
    ]);
    expect(run.childFacts[0]).toMatchObject({ run: run.outcome.run, flow: 'oracle', child: { stage: '01-a', retry: 1, n: 1, depth: 1 } });
    expect((await verifyRun(run.outcome.folder)).differences).toEqual([]);
  });

  it('[G-7 L-7] a batch runs at once and is answered in the order of the calls, with numbers that go on', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('01-a', { flow: 'slow', input: '1' }, { flow: 'quick', input: '2' }),
        // Each waits for what it is to come after: the quick one for both beginnings, the slow one for the quick one's end.
        { ...after(2, 'subflow_start', 'printf Q'), flow: 'quick' },
        { ...after(1, 'subflow_call', 'printf S'), flow: 'slow' },
        calls('01-a', 'subflow', { calls: [{ flow: 'quick', input: '3' }] }, { expect: '/1\\. slow: success[\\s\\S]*S\\n\\n2\\. quick/' }),
        wrote('01-a', 'done', { expect: '3. quick: success, $SUBFLOWS/3/output.txt, 1 bytes.' }),
        stops('01-a'),
      ],
      { root: { ...helper('slow'), ...helper('quick') } },
    );
    expect(run.cause()).toBe('success');
    // Two that begin at once may be told in either order, before either of them is over.
    const told = run.facts.filter(({ event }) => event === 'subflow_start' || event === 'subflow_call').map(({ event }) => event);
    expect(told.slice(0, 3)).toEqual(['subflow_start', 'subflow_start', 'subflow_call']);
    expect(new Set(run.told('subflow_start').map(({ n }) => n))).toEqual(new Set([1, 2, 3]));
    expect(run.told('subflow_call').map(({ n }) => n)).toEqual([2, 1, 3]);
  });

  it('[G-7] a helper that fails is an answer, with the words of its agent', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('01-a', { flow: 'oracle', input: 'x' }),
        { ...calls('01-say', 'refuse', { reason: 'nobody knows' }), flow: 'oracle' },
        wrote('01-a', 'unknown', { expect: '1. oracle: refused. nobody knows' }),
        stops('01-a'),
      ],
      { root: helper('oracle') },
    );
    expect(run.cause()).toBe('success');
    expect(run.told('subflow_call')[0]).toMatchObject({ cause: 'refused', exit: 1, reason: 'nobody knows' });
  });

  it('[G-7 P-2] of a failure that the machinery tells of, the agent reads the cause alone', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('01-a', { flow: 'oracle', input: 'x' }),
        { stage: '01-say', flow: 'oracle', stop: 'error', status: 401, message: 'who are you' },
        wrote('01-a', 'unknown', { expect: '1. oracle: fault' }),
        stops('01-a'),
      ],
      { root: helper('oracle') },
    );
    expect(run.cause()).toBe('success');
    const sent = JSON.stringify(run.requests.at(-1)?.messages);
    expect(sent).not.toMatch(/401|who are you|scripted/);
  });

  it('[G-7] input-file gives the bytes of a file, under its extension', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        calls('01-a', 'bash', { command: 'printf \'{"a":1}\' > "$TMP/ask.json"' }),
        asks('01-a', { flow: 'oracle', 'input-file': '$TMP/ask.json' }),
        { ...calls('01-say', 'bash', { command: 'cp "$INPUT/request.json" "$OUTPUT"' }), flow: 'oracle' },
        { ...stops('01-say'), flow: 'oracle' },
        wrote('01-a', 'done', { expect: '{"a":1}' }),
        stops('01-a'),
      ],
      { root: helper('oracle') },
    );
    expect(run.cause()).toBe('success');
    expect(run.has('stages/01-a/1/1/subflows/1/request.json')).toBe(true);
  });

  it.each([
    ['an unknown helper', [{ flow: 'orcale', input: 'x' }], 'Did you mean "oracle"? Nothing was started.'],
    ['both inputs', [{ flow: 'oracle', input: 'x', 'input-file': '$INPUT/y' }], 'has a wrong entry 1: say either `input` or `input-file`'],
    ['no input', [{ flow: 'oracle' }], 'say either `input` or `input-file`'],
    ['no calls', [], 'must be a list of 1 to 32 calls'],
    ['33 calls', Array.from({ length: 33 }, () => ({ flow: 'oracle', input: 'x' })), 'must be a list of 1 to 32 calls'],
    ['a file that is not there', [{ flow: 'oracle', 'input-file': '$INPUT/none' }], '$INPUT/none does not exist. Nothing was started.'],
    [
      'a good one beside a bad one',
      [
        { flow: 'oracle', input: 'x' },
        { flow: 'none', input: 'x' },
      ],
      'Nothing was started.',
    ],
  ])('[G-7 L-6] %s is an error result, and nothing is started', async (_, asked, said) => {
    const run = await go({ '01-a.md': stage() }, [asks('01-a', ...asked), wrote('01-a', 'done'), stops('01-a')], {
      root: helper('oracle'),
    });
    expect(run.cause()).toBe('success');
    const answer = run.requests[1]?.messages.at(-1);
    expect(answer?.role === 'tool' && answer.results[0]).toMatchObject({ error: true, output: expect.stringContaining(said) });
    expect(run.told('subflow_start')).toEqual([]);
  });

  it('[G-7 S-1] without a helper in scope there is neither the tool nor the slot', async () => {
    const run = await go({ '01-a.md': stage() }, [asks('01-a', { flow: 'x', input: 'y' }), wrote('01-a', 'done'), stops('01-a')]);
    expect(run.told('stage_start')[0]?.tools).not.toContain('subflow');
    expect(run.told('stage_start')[0]?.slots).not.toContain('SUBFLOWS');
    expect(JSON.stringify(run.requests[1]?.messages)).toContain('There is no tool');
  });

  it('[G-7 P-1] the prompt names the helpers in scope, the narrowest of one name', async () => {
    const run = await go(
      {
        '01-a/STAGE.md': stage(),
        '01-a/subflows/oracle/FLOW.md': '---\ndescription: The near one\n---\n',
        '01-a/subflows/oracle/01-near.md': stage(),
        'subflows/scribe/FLOW.md': FLOW,
        'subflows/scribe/01-say.md': stage(),
      },
      [
        asks('01-a', { flow: 'oracle', input: 'x' }),
        { ...wrote('01-near', 'near'), flow: 'oracle' },
        wrote('01-a', 'done', { expect: 'near' }),
        stops('01-a'),
      ],
      { root: helper('oracle') },
    );
    expect(run.cause()).toBe('success');
    expect(run.requests[0]?.system).toContain('# Helpers\n\n- oracle: The near one.\n- scribe: Answers a question.\n');
  });

  it('[G-7 A-16] a file that may not be read may not be given to a helper either', async () => {
    const run = await go(
      { '01-a.md': stage('Ask.', 'access: {read: [input], write: [output]}\n') },
      [
        asks('01-a', { flow: 'oracle', 'input-file': '$PWD/secret.txt' }),
        wrote('01-a', 'done', { expect: 'may not be used on $PWD/secret.txt' }),
        stops('01-a'),
      ],
      { root: helper('oracle'), work: { 'secret.txt': 'the secret' } },
    );
    expect(run.cause()).toBe('success');
    expect(run.told('tool_call')).toMatchObject([{ tool: 'subflow', decision: 'denied' }]);
  });

  it('[G-7] an output that is large is told by its beginning, one that is no text not at all', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('01-a', { flow: 'long', input: 'x' }, { flow: 'raw', input: 'x' }),
        { ...calls('01-say', 'bash', { command: 'yes ä | head -c 30000 > "$OUTPUT"' }), flow: 'long' },
        { ...calls('01-say', 'bash', { command: 'printf \'\\377\\376\' > "$OUTPUT"' }), flow: 'raw' },
        wrote('01-a', 'done', { expect: 'bytes. The rest is in the file.]' }),
        stops('01-a'),
      ],
      { root: { ...helper('long'), ...helper('raw') } },
    );
    expect(run.cause()).toBe('success');
    const told = JSON.stringify(run.requests.at(-1)?.messages);
    expect(told).toContain('It is not text.');
    expect(told.length).toBeLessThan(30_000);
  });

  it('[L-5] the time of the helpers is not the agent’s', async () => {
    const run = await go(
      { '01-a.md': stage('Ask.', 'timeout: 3000\n') },
      [
        asks('01-a', { flow: 'oracle', input: 'x' }),
        // An hour goes by in the helper's turn.
        { ...calls('01-say', 'bash', { command: 'echo > "$PWD/up"; printf late > "$OUTPUT"' }), flow: 'oracle' },
        wrote('01-a', 'done', { expect: 'late' }),
        stops('01-a'),
      ],
      { root: helper('oracle', { 'subflows/oracle/01-say.md': stage('Say.', 'timeout: 30000\n') }), machine: leapsAt('up') },
    );
    expect(run.cause()).toBe('success');
  });

  it.each([
    ['a file in its place', 'touch "$SUBFLOWS/1"'],
    ['a link in its place', 'mkdir "$PWD/elsewhere" && ln -s "$PWD/elsewhere" "$SUBFLOWS/1"'],
    ['a link in place of $SUBFLOWS', 'mkdir "$PWD/elsewhere" && rm -r "$SUBFLOWS" && ln -s "$PWD/elsewhere" "$SUBFLOWS"'],
    ['a file in place of $SUBFLOWS', 'rm -r "$SUBFLOWS" && touch "$SUBFLOWS"'],
    ['no $SUBFLOWS', 'rm -r "$SUBFLOWS"'],
  ])('[G-7 S-1] what a call was given and left stands in $SUBFLOWS, with %s before', async (_, command) => {
    const run = await go(
      { '01-a.md': stage() },
      [
        calls('01-a', 'bash', { command }),
        asks('01-a', { flow: 'oracle', input: 'one' }, { flow: 'oracle', input: 'two' }),
        { ...wrote('01-say', 'said'), flow: 'oracle' },
        { ...stops('01-say'), flow: 'oracle' },
        calls('01-a', 'bash', {
          command: 'cat "$SUBFLOWS"/[12]/*; test -e "$PWD/elsewhere" && ls -A "$PWD/elsewhere"; test ! -L "$SUBFLOWS"',
        }),
        wrote('01-a', 'done', { expect: '/^onesaidtwosaid\\s*\\[exit code 0\\]/' }),
        stops('01-a'),
      ],
      { root: helper('oracle') },
    );
    expect(run.cause()).toBe('success');
  });

  it('[G-8] a DESCEND may call itself as deep as its author wrote, a flow not at all', async () => {
    const down = (n: number): Line => ({ ...asks('01-dig', { flow: 'dig', input: String(n) }), flow: 'dig' });
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('01-a', { flow: 'dig', input: '0' }),
        down(1),
        { ...wrote('01-dig', 'bottom'), flow: 'dig' },
        wrote('01-a', 'done'),
        stops('01-a'),
      ],
      { root: { 'subflows/dig/DESCEND.md': '---\ndescription: Digs\nmax-depth: 3\n---\n', 'subflows/dig/01-dig.md': stage() } },
    );
    expect(run.cause()).toBe('success');
    const starts = run.childFacts.filter((fact) => fact.event === 'stage_start');
    expect(starts.map(({ tools }) => tools.includes('subflow'))).toEqual([true, true, false]);
    expect((await verifyRun(run.outcome.folder)).children).toBe(3);
  });

  it('[G-7] a chain is ten calls deep at most: at the tenth nothing is in scope', async () => {
    const next = (flow: string, other: string): Line => ({ ...asks('01-say', { flow: other, input: 'x' }), flow });
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('01-a', { flow: 'ping', input: 'x' }),
        next('ping', 'pong'),
        next('pong', 'ping'),
        { ...wrote('01-say', 'back'), flow: 'ping' },
        { ...wrote('01-say', 'back'), flow: 'pong' },
        wrote('01-a', 'done', { expect: 'back' }),
        stops('01-a'),
      ],
      { root: { ...helper('ping'), ...helper('pong') } },
    );
    expect(run.cause()).toBe('success');
    const depths = run.childFacts.flatMap((fact) => (fact.event === 'run_start' ? [fact.child?.depth] : []));
    expect(depths).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const starts = run.childFacts.filter((fact) => fact.event === 'stage_start');
    expect(starts.map(({ tools }) => tools.includes('subflow'))).toEqual([...Array.from({ length: 9 }, () => true), false]);
  });

  it('[K-12 S-5] hooks and gates of a child run from the outermost run’s copy, and its checks hold its agent', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('01-a', { flow: 'oracle', input: 'x' }),
        { ...wrote('01-say', 'no'), flow: 'oracle' },
        { ...stops('01-say'), flow: 'oracle' },
        { ...wrote('01-say', 'yes', { expect: 'say yes' }), flow: 'oracle' },
        { ...stops('01-say'), flow: 'oracle' },
        wrote('01-a', 'done', { expect: 'yes' }),
        stops('01-a'),
      ],
      {
        root: {
          'subflows/oracle/FLOW.md': FLOW,
          'subflows/oracle/01-say/STAGE.md': stage(),
          'subflows/oracle/01-say/before.sh': sh('echo "$FLOW_RUN_ID" > "$INPUT/id.txt"'),
          'subflows/oracle/01-say/gate.sh': sh('grep -q yes "$1" || { echo say yes; exit 1; }'),
        },
      },
    );
    expect(run.cause()).toBe('success');
    expect(run.childFacts.filter(({ event }) => event === 'hook' || event === 'gate_start')).toHaveLength(3);
    expect((await verifyRun(run.outcome.folder)).differences).toEqual([]);
  });

  it('[I-5] what a child spends is the run’s', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [asks('01-a', { flow: 'oracle', input: 'x' }), { ...wrote('01-say', 'dear'), flow: 'oracle' }, wrote('01-a', 'never'), stops('01-a')],
      {
        root: helper('oracle'),
        invocation: { maxCost: '1' },
        costUsd: 0.6,
      },
    );
    expect(run.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1 });
    expect(run.outcome.ending.reason).toContain('--max-cost');
    expect(run.told('subflow_call')[0]).toMatchObject({ cause: 'rejected' });
  });
});

describe('the assembly agent', () => {
  const two = (): Tree => ({
    'flows/other/FLOW.md': '---\ndescription: The other way\n---\n',
    'flows/other/01-write.md': stage(),
    ...helper('oracle'),
  });

  it('[O-2] works with all flows and subflows of the root; its output is assembly.txt', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('assembly', { flow: 'other', input: 'write' }, { flow: 'oracle', input: 'tell' }),
        { ...wrote('01-write', 'written'), flow: 'other' },
        { ...wrote('01-say', 'told'), flow: 'oracle' },
        wrote('assembly', 'both', { expect: '/written[\\s\\S]*told/' }),
        stops('assembly'),
      ],
      { root: two() },
    );
    expect(run.cause()).toBe('success');
    expect(run.told('run_start')[0]?.flow).toBe('');
    expect(run.told('stage_start')[0]).toMatchObject({ stage: 'assembly', received: [{ name: 'request.txt' }] });
    expect(run.outcome.output?.file).toBe(join(run.outcome.folder, 'stages/assembly/1/1/output.txt'));
    const system = run.requests[0]?.system ?? '';
    expect(system).toContain('# Instructions\n\nHelp the reader.\n');
    expect(system).toContain('- main: A flow for a test.\n- oracle: Answers a question.\n- other: The other way.');
    expect(system).not.toMatch(/# Purpose|Step 1/);
  });

  it('[O-2] --route asks for it even with one flow', async () => {
    const run = await go(
      { '01-a.md': stage() },
      [
        asks('assembly', { flow: 'main', input: 'go' }),
        wrote('01-a', 'by main'),
        wrote('assembly', 'ok', { expect: 'by main' }),
        stops('assembly'),
      ],
      { invocation: { route: true } },
    );
    expect(run.cause()).toBe('success');
  });
});

describe('FANOUT', () => {
  const list = (...items: readonly object[]): string => JSON.stringify({ items });
  const fan = (front = ''): Tree => ({
    '01-list/STAGE.md': stage('List.'),
    '01-list/schema.json': '{"type":"object"}',
    '02-each/FANOUT.md': `---\nitems: items\nsubflow: oracle\nwidth: 2\nmax-items: 5\n${front}---\n`,
    '03-join.md': stage('Join.'),
  });
  const seen = (id: string): Line => ({
    ...calls('01-say', 'bash', { command: 'cp "$INPUT/request.json" "$OUTPUT"' }),
    flow: 'oracle',
    item: id,
  });

  it('[G-6] runs a child for each item by id; the next stage is given one file for each', async () => {
    const run = await go(
      fan(),
      [
        wrote('01-list', '{"items":[{"id":"b","input":{"n":12345678901234567890}},{"id":"a","input":{}}]}'),
        stops('01-list'),
        seen('a'),
        seen('b'),
        calls('03-join', 'bash', { command: 'cd "$INPUT" && ls && cat b.txt' }),
        wrote('03-join', 'end', { expect: 'a.txt\nb.txt\n{"id":"b","input":{"n":12345678901234567890}}' }),
        stops('03-join'),
      ],
      { root: helper('oracle') },
    );
    expect(run.cause()).toBe('success');
    expect(run.told('fanout_start')).toMatchObject([{ stage: '02-each', items: 2, subflow: 'oracle', width: 2 }]);
    expect(
      run
        .told('subflow_start')
        .map(({ n, item }) => `${n} ${item}`)
        .sort(),
    ).toEqual(['1 a', '2 b']);
    expect(run.told('fanout_done')).toMatchObject([{ items: 2, concurrent: 2, cause: 'success' }]);
    expect(run.read('stages/02-each/1/1/subflows/2/request.json')).toContain('12345678901234567890');
    expect((await verifyRun(run.outcome.folder)).differences).toEqual([]);
  });

  it('[G-6] an ordinary failure stops no sibling, and all must succeed', async () => {
    const run = await go(
      fan(),
      [
        wrote('01-list', list({ id: 'a', input: {} }, { id: 'b', input: {} }, { id: 'c', input: {} })),
        stops('01-list'),
        { ...calls('01-say', 'refuse', { reason: 'not a' }), item: 'a' },
        seen('b'),
        { ...calls('01-say', 'fault', { reason: 'broken c' }), item: 'c' },
      ],
      { root: helper('oracle') },
    );
    expect(run.outcome).toMatchObject({ stage: '02-each', ending: { cause: 'refused', exit: 1 } });
    expect(run.outcome.ending.reason).toBe('2 of 3 items did not succeed; the first: a: not a');
    expect(
      run
        .told('subflow_call')
        .map(({ cause }) => cause)
        .sort(),
    ).toEqual(['fault', 'refused', 'success']);
    expect(run.told('fanout_done')).toMatchObject([{ items: 3, cause: 'refused' }]);
  });

  it.each([
    ['an empty list', list(), 'is empty'],
    ['no list', '{"other": []}', 'is no list'],
    ['a name twice', list({ id: 'a', input: {} }, { id: 'a', input: {} }), 'twice'],
    ['a bad id', list({ id: '../x', input: {} }), '/items/0/id must begin'],
    ['an input that is no object', list({ id: 'a', input: [] }), '/items/0/input must be an object'],
    ['too many', list(...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, input: {} }))), 'more than max-items, which is 5'],
  ])('[G-6] %s starts no child and ends as a fault', async (_, text, said) => {
    const run = await go(fan(), [wrote('01-list', text), stops('01-list')], { root: helper('oracle') });
    expect(run.outcome).toMatchObject({ stage: '02-each', ending: { cause: 'fault', exit: 2 } });
    expect(run.outcome.ending.reason).toContain(said);
    expect(run.told('subflow_start')).toEqual([]);
  });
});
