import { verifyRun } from '@gated-flow/record';
import { afterAll, describe, expect, it } from 'vitest';
import { type Ask, calls, clear, go, type Line, type Ran, stage, stops, type Tree, wrote } from './ground.js';

afterAll(clear);

const C = '01-way';
const END = '02-end';
const BODY = 'Look at it.\n\n- `fix` when it is small\n- `stop` when it is unsafe\n- `wait` otherwise\n';
const at = (path: string): string => `stages/${C}/1/${path}`;
const NOTHING = 'Nothing is selected yet. Select one with the `select` tool: fix, stop, wait.';

const TREE: Tree = {
  [`${C}/CHOOSE.md`]: `---\n---\n${BODY}`,
  [`${C}/fix.md`]: stage(),
  [`${C}/stop.md`]: stage(),
  [`${C}/wait/01-sit.md`]: stage(),
  [`${C}/wait/02-rise/STAGE.md`]: stage(),
  [`${C}/wait/02-rise/schema.json`]: '{"type":"object"}',
  [`${END}.md`]: stage(),
};
const selects = (name: string, more: Line = {}): Line => calls(C, 'select', { name, reason: `${name}, because` }, more);

/** Plays the choice; whatever alternative is taken writes its name, and what stands behind it says what it was given. */
function play(lines: readonly Line[], ask: Ask = {}): Promise<Ran> {
  const taken = [wrote(`${C}/fix`, 'fix'), wrote(`${C}/stop`, 'stop'), wrote(`${C}/wait/01-sit`, 'sat'), wrote(`${C}/wait/02-rise`, '{}')];
  return go(TREE, [...lines, ...taken, calls(END, 'bash', { command: 'ls $INPUT > $OUTPUT' })], ask);
}

const started = (ran: Ran): string[] => ran.told('stage_start').map((fact) => fact.stage ?? '');
const own = (ran: Ran): Ran['requests'] => ran.requests.filter(({ tools }) => tools.some(({ name }) => name === 'select'));

describe('a choice', () => {
  it('[G-4 R-5 L-11] its agent starts and ends like a stage, without an output, and says what it chose before its end', async () => {
    const ran = await play([selects('stop')]);
    expect(ran.cause()).toBe('success');
    expect(started(ran)).toEqual([C, `${C}/stop`, END]);
    expect(ran.facts.filter(({ stage }) => stage === C).map((fact) => fact.event)).toEqual([
      ...['stage_start', 'prompt', 'turn', 'tool_call', 'check', 'chose', 'stage_end'],
    ]);
    expect(ran.told('chose')).toEqual([{ event: 'chose', stage: C, chose: 'stop', declined: ['fix', 'wait'], reason: 'stop, because' }]);
    const [end] = ran.told('stage_end');
    expect(end).toMatchObject({ cause: 'success', exit: 0, sealed: false, judged: false, attempts: 1 });
    expect(end).not.toHaveProperty('output');
    expect(ran.read(at('1/checks/question.txt'))).toBe('');
    expect(ran.has(at('1/output.txt'))).toBe(false);
    expect(await verifyRun(ran.outcome.folder)).toMatchObject({ verified: true, differences: [] });
  });

  it.each([
    ['fix', 'fix.txt'],
    ['wait', 'wait.json'],
  ])('[G-4 S-3] %s goes on under its name: %s', async (name, file) => {
    const ran = await play([selects(name)]);
    expect(ran.cause()).toBe('success');
    expect(ran.read(`stages/${END}/1/1/output.txt`)).toBe(`${file}\n`);
  });

  it('[G-4 S-1] it is given what stands before it, has the usual tools, and no $OUTPUT, not even the caller’s', async () => {
    const ran = await play(
      [
        calls(C, 'bash', { command: 'ls $INPUT; echo "[${OUTPUT-none}]"; test -w $TMP && echo tmp' }),
        selects('fix', { expect: 'request.txt\n[none]\ntmp' }),
      ],
      {
        env: () => ({ OUTPUT: '/outer/output.txt' }),
      },
    );
    expect(ran.cause()).toBe('success');
    const [start] = ran.told('stage_start');
    expect(start?.tools).toEqual(['read', 'write', 'edit', 'bash', 'select', 'refuse', 'fault', 'clean-temp']);
    expect(start?.slots).toEqual(['PWD', 'INPUT', 'TMP', 'SKILLS']);
    expect(ran.told('stage_start')[1]?.slots).toContain('OUTPUT');
  });

  it('[L-6] a path that begins with $OUTPUT is no place for it', async () => {
    const ran = await play([wrote(C, 'x'), selects('fix', { expect: '$OUTPUT' })]);
    expect(ran.cause()).toBe('success');
    const [, second] = own(ran);
    const result = second?.messages.at(-1);
    expect(result?.role === 'tool' && result.results[0]?.error).toBe(true);
  });

  it('[P-1 P-3] what it is asked is a selection, and nothing speaks of an output', async () => {
    const ran = await play([selects('fix')]);
    const system = ran.read(at('system.txt'));
    expect(system).toContain(`# Instructions\n\n${BODY}`);
    expect(system).toContain(
      '# Output\n\nSelect one of the alternatives, `fix`, `stop`, `wait`, with the `select` tool, and say why. Nothing else that you say or write is passed on.\n',
    );
    expect(system).toContain('Step 1 of 2.');
    expect(system).not.toContain('$OUTPUT');
    expect(ran.read(at('first-turn.txt'))).toBe(
      '$INPUT holds:\n- request.txt\n\nDecide as your instructions describe, then select one of the alternatives with the `select` tool.',
    );
  });

  it('[P-2] no word of ours tells of the machinery', async () => {
    const ran = await play([stops(C), selects('fxi'), selects('fix')]);
    expect(ran.cause()).toBe('success');
    const said = JSON.stringify(own(ran).map(({ system, messages, tools }) => [system, messages, tools]));
    expect(said.match(/\b(assembly|flow|stage|gate|choose|branch|retr(y|ies)|timeout|hook|contract)\b/gi)).toBeNull();
  });

  it('[L-10] a wrong name is an error that names what there is, and costs no round', async () => {
    const ran = await play([
      selects('Fix'),
      selects('fix', { expect: 'There are: fix, stop, wait. Did you mean "fix"? Nothing was selected.' }),
    ]);
    expect(ran.told('chose')).toHaveLength(1);
    expect(ran.told('tool_call')).toEqual([
      { event: 'tool_call', stage: C, retry: 1, tool: 'select', decision: 'select', answer: 'fix', reason: 'fix, because' },
    ]);
    expect(ran.told('stage_end')[0]).toMatchObject({ attempts: 1 });
  });

  it('[L-12] a reason of white space selects nothing', async () => {
    const ran = await play([calls(C, 'select', { name: 'stop', reason: '\n' }), selects('fix', { expect: '`reason` must say something' })]);
    expect(ran.told('chose')[0]).toMatchObject({ chose: 'fix' });
  });

  it('[L-11] the first valid selection counts, and what follows it is not run', async () => {
    const two = ['wiat', 'fix', 'stop'].map((name) => ({ tool: 'select', input: { name, reason: 'r' } }));
    const ran = await play([{ stage: C, calls: [...two, { tool: 'refuse', input: { reason: 'no' } }] }]);
    expect(ran.told('chose')[0]).toMatchObject({ chose: 'fix' });
    const last = ran.read(at('session.jsonl')).trimEnd().split('\n').at(-1) ?? '';
    expect(last.match(/"not run"/g)).toHaveLength(2);
  });

  it('[G-4 K-2 K-15] to stop without a selection is a failed round in the same session', async () => {
    const ran = await play([stops(C), selects('stop', { expect: NOTHING })]);
    expect(ran.cause()).toBe('success');
    expect(ran.told('check').slice(0, 2)).toMatchObject([
      { stage: C, retry: 1, check: 'question', exit: 1, capture: at('1/checks/question.txt') },
      { stage: C, retry: 2, check: 'question', exit: 0, capture: at('2/checks/question.txt') },
    ]);
    expect(ran.read(at('1/checks/question.txt'))).toBe(NOTHING);
    expect(ran.told('stage_end')[0]).toMatchObject({ attempts: 2 });
    expect(own(ran)).toHaveLength(2);
  });

  it('[E-1] retries spent without a selection: exhausted, and no alternative starts', async () => {
    const ran = await play([stops(C), stops(C)], { invocation: { options: { retries: '1' } } });
    expect(ran.outcome.ending).toMatchObject({ cause: 'exhausted', exit: 1, failed: 'question', reason: NOTHING });
    expect(started(ran)).toEqual([C]);
    expect(ran.told('chose')).toEqual([]);
    expect(await verifyRun(ran.outcome.folder)).toMatchObject({ verified: true });
  });

  it.each([
    ['refuse', 'refused', 1],
    ['fault', 'fault', 2],
  ])('[L-9] %s ends it', async (tool, cause, exit) => {
    const ran = await play([calls(C, tool, { reason: 'none of these' })]);
    expect(ran.outcome.ending).toMatchObject({ cause, exit, reason: 'none of these' });
    expect(started(ran)).toEqual([C]);
    expect(ran.told('chose')).toEqual([]);
    expect(ran.told('stage_end')[0]).toMatchObject({ stage: C, cause, sealed: false });
  });

  it('[G-4] what it leaves around its scratch folder is no output', async () => {
    const ran = await play([
      calls(C, 'bash', { command: 'mkdir -p $TMP/../out; echo x > $TMP/../out/output.txt' }),
      stops(C),
      selects('fix'),
    ]);
    expect(ran.cause()).toBe('success');
    expect(ran.told('stage_end')[0]).not.toHaveProperty('output');
  });

  it('[S-2] a secret in the reason is not recorded', async () => {
    const ran = await play([calls(C, 'select', { name: 'fix', reason: 'the key is hunter2-hunter2' })], {
      env: () => ({ SOME_API_KEY: 'hunter2-hunter2' }),
    });
    expect(ran.told('chose')[0]).toMatchObject({ reason: 'the key is ***' });
    expect(ran.read('record.jsonl')).not.toContain('hunter2');
  });

  it('[G-3 G-4] inside a loop it chooses anew in every repeat, and is never asked the question', async () => {
    const S = '01-loop/01-way';
    const W = '01-loop/02-say';
    const ran = await go(
      {
        '01-loop/LOOP.md': '---\nrepeat: 3\n---\nReady?\n',
        [`${S}/CHOOSE.md`]: '---\n---\n- `a`\n- `b`\n',
        [`${S}/a.md`]: stage(),
        [`${S}/b.md`]: stage(),
        [`${W}.md`]: stage(),
        [`${END}.md`]: stage(),
      },
      [
        { ...calls(S, 'select', { name: 'a', reason: 'first' }), repeat: 1 },
        ...[wrote(`${S}/a`, 'A'), wrote(W, '1'), stops(W), calls(W, 'continue', { answer: 'continue', reason: 'r' }, { expect: 'Ready?' })],
        { ...calls(S, 'bash', { command: 'ls $INPUT' }), repeat: 2 },
        { ...calls(S, 'select', { name: 'b', reason: 'then' }, { expect: 'request.txt\nsay.txt' }), repeat: 2 },
        ...[wrote(`${S}/b`, 'B'), wrote(W, '2'), stops(W), calls(W, 'continue', { answer: 'stop', reason: 'r' }, { expect: 'Ready?' })],
        wrote(END, 'e'),
      ],
    );
    expect(ran.cause()).toBe('success');
    expect(ran.told('chose').map(({ repeat, chose }) => [repeat, chose])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(started(ran)).toEqual([S, `${S}/a`, W, S, `${S}/b`, W, END]);
    expect(own(ran).some(({ tools }) => tools.some(({ name }) => name === 'continue'))).toBe(false);
    expect(await verifyRun(ran.outcome.folder)).toMatchObject({ verified: true });
  });

  it('[M-6] a rehearsal takes the first in name order', async () => {
    const ran = await go(TREE, [], { rehearse: true });
    expect(ran.cause()).toBe('success');
    expect(ran.told('chose')[0]).toMatchObject({ chose: 'fix', declined: ['stop', 'wait'], reason: 'rehearsal' });
  });
});
