import type { SessionLine } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import { type Ask, calls, clear, go, type Line, type Planted, type Ran, sh, stage, stops, type Tree, wrote } from './ground.js';

afterAll(clear);

const S = '01-loop/01-word';
const L = '01-loop';
const END = '02-end';
const at = (repeat: number, path: string): string => `stages/${S}/${repeat}/${path}`;
const PUT = 'Is it ready?\n\nAnswer this with the `continue` tool, and leave $OUTPUT as it is.';
const UNANSWERED = `There is no answer yet.\n\n${PUT}`;

const looped = (repeat: number, more: Tree = {}, question = 'Is it ready?\n'): Tree => ({
  [`${L}/LOOP.md`]: `---\nrepeat: ${repeat}\n---\n${question}`,
  [`${S}/STAGE.md`]: stage(),
  ...more,
});
const answers = (answer: string, more: Line = {}): Line => calls(S, 'continue', { answer, reason: `${answer}, because` }, more);
const gate = (text: string): { readonly [path: string]: Planted } => ({ [`${S}/gate.sh`]: sh(text) });

/** A sequence ends in a stage: one more stands behind the loop. */
function play(entries: Tree, lines: readonly Line[], ask: Ask = {}): Promise<Ran> {
  return go({ ...entries, [`${END}.md`]: stage() }, [...lines, wrote(END, 'e')], ask);
}

function checksOf(ran: Ran): string[] {
  return ran
    .told('check')
    .filter(({ stage }) => stage !== END)
    .map(({ repeat, retry, check, exit }) => `${repeat}.${retry} ${check} ${exit}`);
}

/** The user turns of one repeat's session, with why each was said. */
function turnsOf(ran: Ran, repeat: number): string[] {
  const lines = ran.read(at(repeat, 'session.jsonl')).trimEnd().split('\n');
  const session = lines.map((line): SessionLine => JSON.parse(line));
  return session.flatMap((line) => (line.kind === 'user' ? [`${line.why}: ${line.text}`] : []));
}

/** What the model was asked as the agent that has the question. */
function asked(ran: Ran): Ran['requests'] {
  return ran.requests.filter(({ tools }) => tools.some(({ name }) => name === 'continue'));
}

/** What came of the calls of one tool, as the agent read it. */
function resultsOf(ran: Ran, tool: string): string[] {
  const messages = asked(ran).at(-1)?.messages ?? [];
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.results.filter((one) => one.tool === tool).map(({ output }) => output) : [],
  );
}

describe('a loop’s question', () => {
  it('[G-3 K-14 L-11 R-4] is put after every check in the same session, answered, recorded, and only then is the output sealed', async () => {
    const ran = await play(looped(3, { ...gate('exit 0'), [`${S}/success.sh`]: sh('exit 0') }), [
      wrote(S, 'one'),
      stops(S),
      answers('stop', { expect: 'Is it ready?' }),
    ]);
    expect(ran.cause()).toBe('success');
    expect(checksOf(ran)).toEqual(['1.1 output 0', '1.1 gate 0', '1.1 question 0']);
    expect(turnsOf(ran, 1).slice(1)).toEqual([`question: ${PUT}`]);
    expect(ran.told('tool_call')).toEqual([
      {
        event: 'tool_call',
        stage: S,
        repeat: 1,
        retry: 1,
        tool: 'continue',
        decision: 'continue',
        answer: 'stop',
        reason: 'stop, because',
      },
    ]);
    const order = ran.facts.filter(({ stage }) => stage?.startsWith(L)).map((fact) => (fact.event === 'check' ? fact.check : fact.event));
    expect(order.slice(order.indexOf('gate'))).toEqual([...['gate', 'turn', 'tool_call', 'question', 'hook', 'stage_end', 'loop_done']]);
    expect(ran.read(at(1, '1/checks/question.txt'))).toBe('');
    expect(ran.told('loop_done')[0]).toMatchObject({ repeats: 1, ended_by: 'stop', reason: 'stop, because' });
    expect(ran.told('stage_start')[0]?.tools).toContain('continue');
    expect(asked(ran)).toHaveLength(3);
  });

  it('[G-3] continue brings the next repeat, with what this one left, in a session of its own', async () => {
    const ran = await play(looped(2), [
      { ...wrote(S, 'one'), repeat: 1 },
      { ...stops(S), repeat: 1 },
      { ...answers('continue'), repeat: 1 },
      { ...calls(S, 'bash', { command: 'cat $INPUT/word.txt > $OUTPUT; echo +two >> $OUTPUT' }), repeat: 2 },
      { ...stops(S), repeat: 2 },
      { ...answers('stop'), repeat: 2 },
    ]);
    expect(ran.cause()).toBe('success');
    expect(ran.read(at(2, '1/output.txt'))).toBe('one+two\n');
    expect(ran.told('stage_end').map(({ repeat, sealed }) => [repeat, sealed])).toEqual([
      [1, true],
      [2, true],
      [undefined, true],
    ]);
  });

  it('[G-3] still continue at the last repeat is rejected, with the words of the answer', async () => {
    const ran = await play(looped(1), [wrote(S, 'one'), stops(S), answers('continue')]);
    expect(ran.outcome.ending).toMatchObject({ cause: 'rejected', exit: 1, reason: expect.stringContaining('continue, because') });
    expect(ran.told('loop_done')[0]).toMatchObject({ repeats: 1, ended_by: 'limit' });
    expect(ran.told('stage_end')[0]).toMatchObject({ cause: 'success', sealed: true });
  });

  it('[G-3 K-2 K-15] to stop without an answer is a failed round; what it is sent back with is answered at once', async () => {
    const ran = await play(looped(2), [wrote(S, 'one'), stops(S), stops(S), answers('stop', { expect: 'Is it ready?' })]);
    expect(ran.cause()).toBe('success');
    expect(checksOf(ran)).toEqual(['1.1 output 0', '1.1 question 1', '1.2 output 0', '1.2 question 0']);
    expect(turnsOf(ran, 1).slice(1)).toEqual([`question: ${PUT}`, `send-back: ${UNANSWERED}`]);
    expect(ran.read(at(1, '1/checks/question.txt'))).toBe(UNANSWERED);
    expect(ran.activities).toContainEqual({ activity: 'sent-back', stage: S, attempt: 1, check: 'question', reason: UNANSWERED });
  });

  it('[E-1 G-3] retries spent without an answer: exhausted, the failure hook reads what was asked', async () => {
    const ran = await play(
      looped(2, { [`${S}/failure.sh`]: sh('echo "$CAUSE"; cat "$REASON"') }),
      [wrote(S, 'one'), stops(S), stops(S), stops(S), stops(S)],
      { invocation: { options: { retries: '1' } } },
    );
    expect(ran.outcome.ending).toMatchObject({ cause: 'exhausted', exit: 1, failed: 'question', reason: UNANSWERED });
    expect(checksOf(ran)).toEqual(['1.1 output 0', '1.1 question 1', '1.2 output 0', '1.2 question 1']);
    expect(ran.told('stage_end')[0]).toMatchObject({ attempts: 2, sealed: false, output: { path: at(1, '2/output.txt') } });
    expect(ran.read(at(1, 'hooks/failure.txt'))).toBe(`exhausted\n${UNANSWERED}`);
    expect(ran.told('loop_done')[0]).toMatchObject({ repeats: 1, ended_by: 'exhausted' });
    expect(asked(ran)).toHaveLength(4);
  });

  it('[G-3 K-1] an answer counts only when the checks pass from the top; else it is dropped and the question comes again', async () => {
    const ran = await play(
      looped(2, gate('grep -q good "$1" || { echo say good; exit 1; }')),
      [
        wrote(S, 'good'),
        stops(S),
        stops(S, { expect: PUT }),
        calls(S, 'write', { path: '$OUTPUT', content: 'bad' }, { expect: 'There is no answer yet.' }),
        answers('stop'),
        answers('stop', { expect: 'say good' }),
        wrote(S, 'good', { expect: 'There is no question to answer now.' }),
        stops(S),
        answers('continue', { expect: PUT }),
        { ...wrote(S, 'good'), repeat: 2 },
      ],
      { invocation: { options: { retries: '3' } } },
    );
    expect(checksOf(ran).slice(0, 10)).toEqual([
      ...['1.1 output 0', '1.1 gate 0', '1.1 question 1'],
      ...['1.2 output 0', '1.2 gate 1'],
      ...['1.3 output 0', '1.3 gate 0', '1.3 question 0'],
      ...['2.1 output 0', '2.1 gate 0'],
    ]);
    expect(
      turnsOf(ran, 1)
        .slice(1)
        .map((turn) => turn.split(':')[0]),
    ).toEqual(['question', 'send-back', 'send-back', 'question']);
    expect(
      ran
        .told('tool_call')
        .filter(({ repeat }) => repeat === 1)
        .map(({ retry, answer }) => [retry, answer]),
    ).toEqual([
      [2, 'stop'],
      [3, 'continue'],
    ]);
    expect(ran.told('stage_start')).toHaveLength(2);
  });

  it.each<[string, Line[]]>([
    ['at first', [answers('stop'), wrote(S, 'one', { expect: 'There is no question to answer now.' }), stops(S), answers('stop')]],
    [
      'in the turn of the work',
      [
        {
          stage: S,
          calls: [
            { tool: 'continue', input: { answer: 'stop', reason: 'r' } },
            { tool: 'write', input: { path: '$OUTPUT', content: 'one' } },
          ],
        },
        stops(S, { expect: 'There is no question to answer now.' }),
        answers('stop'),
      ],
    ],
  ])('[L-10] an answer that nobody asked for changes nothing: %s', async (_name, lines) => {
    const ran = await play(looped(2), lines);
    expect(ran.cause()).toBe('success');
    expect(ran.told('tool_call')).toHaveLength(1);
    expect(checksOf(ran)).toEqual(['1.1 output 0', '1.1 question 0']);
  });

  it('[L-12] a wrong answer and an empty reason are told to the agent, and cost no round', async () => {
    const ran = await play(looped(2), [
      wrote(S, 'one'),
      stops(S),
      calls(S, 'continue', { answer: 'maybe', reason: 'r' }),
      calls(S, 'continue', { answer: 'stop', reason: '  ' }, { expect: '`answer` must be one of "continue", "stop"' }),
      answers('stop', { expect: '`reason` must say something' }),
    ]);
    expect(ran.cause()).toBe('success');
    expect(ran.told('stage_end')[0]).toMatchObject({ attempts: 1 });
  });

  it('[L-11] what is called after the answer is not run', async () => {
    const ran = await play(looped(2), [
      wrote(S, 'one'),
      stops(S),
      {
        stage: S,
        calls: [
          { tool: 'bash', input: { command: 'echo looked' } },
          { tool: 'continue', input: { answer: 'stop', reason: 'r' } },
          { tool: 'write', input: { path: '$OUTPUT', content: 'two' } },
          { tool: 'refuse', input: { reason: 'no' } },
        ],
      },
    ]);
    expect(ran.cause()).toBe('success');
    expect(ran.read(at(1, '1/output.txt'))).toBe('one');
    const last = ran.read(at(1, 'session.jsonl')).trimEnd().split('\n').at(-1) ?? '';
    expect(last.match(/"not run"/g)).toHaveLength(2);
  });

  it.each([
    ['refuse', 'refused', 1],
    ['fault', 'fault', 2],
  ])('[L-9] %s works at the question', async (tool, cause, exit) => {
    const ran = await play(looped(2), [wrote(S, 'one'), stops(S), calls(S, tool, { reason: 'the ground is gone' }), answers('stop')]);
    expect(ran.outcome.ending).toMatchObject({ cause, exit, reason: 'the ground is gone' });
    expect(checksOf(ran)).toEqual(['1.1 output 0']);
    expect(ran.told('loop_done')[0]).toMatchObject({ ended_by: cause });
  });

  it.each<[string, Line, string]>([
    [
      'answered',
      {
        stage: S,
        calls: [
          { tool: 'write', input: { path: '$OUTPUT', content: 'two' } },
          { tool: 'continue', input: { answer: 'stop', reason: 'r' } },
        ],
      },
      '1.1 question 0',
    ],
    ['not answered', calls(S, 'write', { path: '$OUTPUT', content: 'two' }), '1.1 question 1'],
  ])('[K-11] a write during the question is drift: %s', async (_name, line, check) => {
    const ran = await play(looped(2, { [`${S}/success.sh`]: sh('exit 0') }), [wrote(S, 'one'), stops(S), line, stops(S), answers('stop')]);
    expect(ran.outcome.ending).toMatchObject({ cause: 'fault', exit: 2, failed: '$OUTPUT' });
    expect(ran.told('hash_drift')[0]).toMatchObject({ stage: S, repeat: 1, file: '$OUTPUT' });
    expect(checksOf(ran).at(-1)).toBe(check);
    expect(ran.told('hook')).toHaveLength(0);
    expect(ran.told('stage_end')[0]).toMatchObject({ sealed: false });
  });

  it('[L-8] marks live on through the question and what follows it', async () => {
    const ran = await play(
      looped(2, { [`${S}/STAGE.md`]: stage('Write.\n\n## Checklist\n\n- One') }),
      [
        {
          stage: S,
          calls: [
            { tool: 'mark', input: { item: 1, state: 'done', evidence: 'seen' } },
            { tool: 'write', input: { path: '$OUTPUT', content: 'x' } },
          ],
        },
        stops(S),
        stops(S),
        answers('continue'),
        { ...wrote(S, 'y'), repeat: 2 },
        { ...stops(S), repeat: 2 },
      ],
      { invocation: { options: { retries: '1' } } },
    );
    expect(checksOf(ran)).toEqual([
      ...['1.1 output 0', '1.1 checklist 0', '1.1 question 1', '1.2 output 0', '1.2 checklist 0', '1.2 question 0'],
      ...['2.1 output 0', '2.1 checklist 1', '2.2 output 0', '2.2 checklist 1'],
    ]);
  });

  it('[R-4] that an output was found and a question answered judges nothing', async () => {
    const ran = await play(looped(2), [wrote(S, 'one'), stops(S), answers('stop')]);
    expect(ran.told('stage_end')[0]).toMatchObject({ judged: false, sealed: true });
  });

  it('[K-8] what is sent back is bounded, and the question itself is put whole', async () => {
    const question = `Is it ready? ${'x'.repeat(30_000)} END.\n`;
    const ran = await play(looped(2, {}, question), [wrote(S, 'one'), stops(S), stops(S), answers('stop')]);
    const [, put = '', back = ''] = turnsOf(ran, 1);
    expect(put.length).toBeGreaterThan(30_000);
    expect(back.length).toBeLessThan(10_100);
    expect(back).toMatch(/^send-back: There is no answer yet\.\n\nIs it ready\?.*END\.\n\nAnswer this with the `continue` tool/s);
  });

  it('[G-3] only the last step is asked, and a stage outside of the loop has no such tool', async () => {
    const ran = await play(
      {
        [`${L}/LOOP.md`]: '---\nrepeat: 2\n---\nReady?\n',
        [`${L}/01-read.md`]: stage(),
        [`${L}/02-word.md`]: stage(),
      },
      [
        ...[wrote(`${L}/01-read`, 'r'), stops(`${L}/01-read`), wrote(`${L}/02-word`, 'w'), stops(`${L}/02-word`)],
        calls(`${L}/02-word`, 'continue', { answer: 'stop', reason: 'r' }, { expect: 'Ready?' }),
      ],
    );
    expect(ran.cause()).toBe('success');
    expect(ran.told('stage_start').map(({ stage, tools }) => [stage, tools.includes('continue')])).toEqual([
      [`${L}/01-read`, false],
      [`${L}/02-word`, true],
      [END, false],
    ]);
  });

  it('[G-3] a loop without a question asks nothing and offers no answer', async () => {
    const ran = await play(looped(2, {}, ''), [
      { ...wrote(S, 'one'), repeat: 1 },
      { ...stops(S), repeat: 1 },
      { ...wrote(S, 'two'), repeat: 2 },
    ]);
    expect(ran.cause()).toBe('success');
    expect(checksOf(ran)).toEqual(['1.1 output 0', '2.1 output 0']);
    expect(ran.told('stage_start')[0]?.tools).not.toContain('continue');
    expect(ran.told('loop_done')[0]).toMatchObject({ repeats: 2, ended_by: 'limit' });
  });

  it('[P-2] no word of ours tells of loops, of repeats or of how many remain', async () => {
    const ran = await play(looped(3, {}, 'Ready?\n'), [
      { ...wrote(S, 'one'), repeat: 1 },
      { ...stops(S), repeat: 1 },
      { ...stops(S), repeat: 1 },
      { ...answers('continue'), repeat: 1 },
      { ...answers('stop'), repeat: 2 },
      { ...wrote(S, 'two'), repeat: 2 },
      { ...stops(S), repeat: 2 },
      { ...answers('stop'), repeat: 2 },
    ]);
    expect(ran.cause()).toBe('success');
    const said = JSON.stringify(asked(ran).map(({ system, messages, tools }) => [system, messages, tools]));
    const telling = /\b(loops?|repeats?|repetitions?|iterations?|remaining|assembly|flow|stage|gate|retr(y|ies))\b/gi;
    expect(said.match(telling)).toBeNull();
    expect(resultsOf(ran, 'continue')).toEqual(['There is no question to answer now.']);
  });

  it('[M-6] a rehearsal answers stop', async () => {
    const ran = await play(looped(3, gate('exit 0')), [], { rehearse: true });
    expect(ran.cause()).toBe('success');
    expect(ran.told('loop_done')[0]).toMatchObject({ repeats: 1, ended_by: 'stop', reason: 'rehearsal' });
  });

  it('[M-6] a rehearsal that a gate says no to takes no send-back for the question', async () => {
    const ran = await play(looped(3, gate('echo no; exit 1')), [], { rehearse: true });
    expect(ran.outcome.ending).toMatchObject({ cause: 'exhausted', failed: 'gate.sh' });
    expect(ran.told('tool_call')).toHaveLength(0);
  });
});
