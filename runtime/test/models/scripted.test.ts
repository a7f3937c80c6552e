import { describe, expect, it } from 'vitest';
import { readScript } from '../../src/models/scripted/read.js';
import { openScript } from '../../src/models/scripted/model.js';
import type { AgentIdentity, Message, Model, ModelRequest } from '../../src/ports/model.js';
import { createManualClock } from '../../src/testing/manual-clock.js';

const PLACE = { checklist: 0, inputs: [] };

function who(stage: string, more: Partial<AgentIdentity> = {}): AgentIdentity {
  return { stage, flow: 'main', place: PLACE, ...more };
}

function request(messages: readonly Message[] = [{ role: 'user', text: 'begin' }], signal = new AbortController().signal): ModelRequest {
  return { system: 'You help.', messages, tools: [], signal };
}

function scriptOf(lines: readonly object[]) {
  const reading = readScript(lines.map((line) => JSON.stringify(line)).join('\n'));
  if (!reading.ok) throw new Error(JSON.stringify(reading.refusals));
  return reading.script;
}

function modelOf(lines: readonly object[], clock = createManualClock()): Model {
  return openScript(scriptOf(lines), { clock }).model();
}

describe('reading a script', () => {
  it.each([
    ['no JSON', '{"stage": "a"', 'value-invalid', /not JSON/],
    ['a list', '[]', 'value-invalid', /not an object/],
    ['an unknown key', '{"stage": "a", "txet": "b"}', 'key-unknown', /`txet`/],
    ['an inherited name as a key', '{"stage": "a", "__proto__": {}}', 'key-unknown', /__proto__/],
    ['neither stage nor judge', '{"text": "a"}', 'key-missing', /`stage`.*`judge`/],
    ['an empty stage', '{"stage": ""}', 'value-invalid', /must not be empty/],
    ['a stage that is no text', '{"stage": 1}', 'value-invalid', /`stage` must be a text/],
    ['a repeat below one', '{"stage": "a", "repeat": 0}', 'value-invalid', /`repeat`/],
    ['an unknown stop', '{"stage": "a", "stop": "calls"}', 'value-invalid', /one of end, length, error/],
    ['a status without an error', '{"stage": "a", "status": 529}', 'value-invalid', /"stop": "error"/],
    ['a status that no server sends', '{"stage": "a", "stop": "error", "status": 9}', 'value-invalid', /from 100 to 599/],
    ['calls that are no list', '{"stage": "a", "calls": {}}', 'value-invalid', /`calls` must be a list/],
    ['a call without a tool', '{"stage": "a", "calls": [{"input": {}}]}', 'key-missing', /calls\[0\]/],
    ['a call that is a text', '{"stage": "a", "calls": ["write"]}', 'value-invalid', /calls\[0\]/],
    ['a call with more keys', '{"stage": "a", "calls": [{"tool": "t", "id": "x"}]}', 'key-unknown', /calls\[0\]\.id/],
    ['half a token', '{"stage": "a", "usage": {"input": 0.5}}', 'value-invalid', /usage\.input/],
    ['usage of another name', '{"stage": "a", "usage": {"tokens": 1}}', 'key-unknown', /usage\.tokens/],
    ['a broken expression', '{"stage": "a", "expect": "/(/"}', 'value-invalid', /`expect`/],
    ['a negative delay', '{"stage": "a", "delay_ms": -1}', 'value-invalid', /`delay_ms`/],
    ['a judge line without a verdict', '{"judge": "is kind"}', 'key-missing', /PASS or FAIL/],
    ['a judge line with another verdict', '{"judge": "is kind", "verdict": "MAYBE"}', 'value-invalid', /PASS, FAIL/],
    ['a line for both', '{"judge": "is kind", "verdict": "PASS", "stage": "a"}', 'key-unknown', /`stage`/],
  ])('[M-5] refuses %s, naming the line', (_name, bad, code, message) => {
    const reading = readScript(`{"stage": "fine"}\n\n${bad}\n`);
    expect(reading).toMatchObject({ ok: false, refusals: [{ code, path: 'script:3' }] });
    expect(!reading.ok && reading.refusals[0]?.message).toMatch(message);
  });

  it('[M-5] names every faulty line at once', () => {
    const reading = readScript('{"stage": 1, "nope": 2}\n{"stage": "a"}\nx');
    expect(!reading.ok && reading.refusals.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'key-unknown script:1',
      'value-invalid script:1',
      'value-invalid script:3',
    ]);
  });

  it('[M-5] an empty script and CRLF line ends are fine', () => {
    expect(readScript('')).toEqual({ ok: true, script: { lines: [], judgements: [] } });
    expect(readScript('{"stage": "a"}\r\n{"stage": "b"}\r\n')).toMatchObject({ ok: true, script: { lines: [{ line: 1 }, { line: 2 }] } });
  });
});

describe('a scripted session', () => {
  it('[M-5] calls without a stop ask for tools, no calls stop, an empty rest stops with empty text', async () => {
    const session = modelOf([
      { stage: 'a', text: 'one', calls: [{ tool: 'write', input: { path: '$OUTPUT', content: 'x' } }, { tool: 'clean-temp' }] },
      { stage: 'a', text: 'two' },
    ]).open(who('a'));
    expect([await session.next(request()), await session.next(request()), await session.next(request())]).toMatchObject([
      {
        turn: 'answer',
        text: 'one',
        stop: 'calls',
        calls: [
          { id: 'call-1-1', tool: 'write', input: { path: '$OUTPUT', content: 'x' } },
          { id: 'call-1-2', tool: 'clean-temp', input: {} },
        ],
      },
      { turn: 'answer', text: 'two', stop: 'end', calls: [] },
      { turn: 'answer', text: '', stop: 'end', calls: [], costUsd: 0, provider: 'scripted', model: 'script' },
    ]);
  });

  it('[M-5] flow, item and repeat narrow the match; the order of the rest is kept', async () => {
    const model = modelOf([
      { stage: 'a', repeat: 2, text: 'second pass' },
      { stage: 'a', flow: 'other', text: 'other flow' },
      { stage: 'a', item: 'j02', text: 'second item' },
      { stage: 'a', text: 'anyone' },
      { stage: 'a', repeat: 1, text: 'first pass' },
    ]);
    const said = async (more: Partial<AgentIdentity>) =>
      ((turn) => (turn.turn === 'answer' ? turn.text : turn.failure))(await model.open(who('a', more)).next(request()));
    expect(await said({ repeat: 1 })).toBe('anyone');
    expect(await said({ repeat: 1 })).toBe('first pass');
    expect(await said({ repeat: 2 })).toBe('second pass');
    expect(await said({ item: 'j01' })).toBe('');
    expect(await said({ item: 'j02' })).toBe('second item');
    expect(await said({ flow: 'other' })).toBe('other flow');
  });

  it('[M-5] every model of one script has its own cursor', async () => {
    const script = scriptOf([{ stage: 'a', text: 'one' }]);
    const texts = [openScript(script, { clock: createManualClock() }), openScript(script, { clock: createManualClock() })]
      .map((open) => open.model())
      .map((model) => model.open(who('a')).next(request()));
    expect(await Promise.all(texts)).toMatchObject([{ text: 'one' }, { text: 'one' }]);
  });

  it('[M-5] usage is what the line says, else zeros', async () => {
    const session = modelOf([{ stage: 'a', usage: { input: 7, cache_read: 3 } }, { stage: 'a' }]).open(who('a'));
    expect(await session.next(request())).toMatchObject({ usage: { input: 7, output: 0, cache_read: 3, cache_write: 0 } });
    expect(await session.next(request())).toMatchObject({ usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 } });
  });

  it('[M-5 L-3] stop length is a cut turn, with its calls', async () => {
    const session = modelOf([{ stage: 'a', text: 'half', stop: 'length', calls: [{ tool: 'read', input: {} }] }]).open(who('a'));
    expect(await session.next(request())).toMatchObject({ turn: 'answer', text: 'half', stop: 'length', calls: [{ tool: 'read' }] });
  });

  it.each([
    [{ status: 408 }, 'transient'],
    [{ status: 409 }, 'transient'],
    [{ status: 425 }, 'transient'],
    [{ status: 429, message: 'too many input tokens per minute' }, 'transient'],
    [{ status: 500 }, 'transient'],
    [{ status: 529 }, 'transient'],
    [{}, 'transient'],
    [{ status: 400 }, 'permanent'],
    [{ status: 401 }, 'permanent'],
    [{ status: 403 }, 'permanent'],
    [{ status: 404 }, 'permanent'],
    [{ status: 422 }, 'permanent'],
    [{ status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' }, 'context'],
    [{ message: "This model's maximum context length is 8192 tokens." }, 'context'],
  ] as const)('[M-5 L-4] an error line %j is %s', async (line, failure) => {
    const turn = await modelOf([{ stage: 'a', stop: 'error', ...line }])
      .open(who('a'))
      .next(request());
    expect(turn).toMatchObject({ turn: 'failed', failure, provider: 'scripted', model: 'script' });
    expect(turn.turn === 'failed' && turn.status).toBe('status' in line ? line.status : undefined);
  });

  it('[M-5 L-4] retry_after is seconds', async () => {
    const session = modelOf([{ stage: 'a', stop: 'error', status: 529, retry_after: 1.5 }]).open(who('a'));
    expect(await session.next(request())).toMatchObject({ retryAfterMs: 1500 });
  });

  it('[M-5] a failed turn uses up its line, so that a retry meets the next one', async () => {
    const session = modelOf([
      { stage: 'a', stop: 'error', status: 529 },
      { stage: 'a', text: 'well' },
    ]).open(who('a'));
    await session.next(request());
    expect(await session.next(request())).toMatchObject({ turn: 'answer', text: 'well' });
  });
});

describe('delay and abort', () => {
  it('[M-5] waits on the clock', async () => {
    const clock = createManualClock();
    const turn = modelOf([{ stage: 'a', text: 'late', delay_ms: 5000 }], clock)
      .open(who('a'))
      .next(request());
    expect(clock.waiting()).toBe(1);
    await clock.advance(5000);
    expect(await turn).toMatchObject({ text: 'late' });
  });

  it('[M-5] an abort cuts the wait', async () => {
    const clock = createManualClock();
    const stop = new AbortController();
    const turn = modelOf([{ stage: 'a', text: 'late', delay_ms: 5000 }], clock)
      .open(who('a'))
      .next(request([], stop.signal));
    stop.abort();
    expect(await turn).toMatchObject({ turn: 'failed', failure: 'aborted' });
    expect(clock.waiting()).toBe(0);
  });

  it('[M-5] an abort before the call uses up no line', async () => {
    const script = openScript(scriptOf([{ stage: 'a' }]), { clock: createManualClock() });
    expect(await script.model().open(who('a')).next(request([], AbortSignal.abort()))).toMatchObject({ failure: 'aborted' });
    expect(script.leftOver()).toEqual(['script:1 for a']);
  });
});

describe('expect', () => {
  const CONVERSATION: readonly Message[] = [
    { role: 'user', text: 'an old word' },
    { role: 'assistant', text: 'my own word', calls: [{ id: '1', tool: 'bash', input: {} }] },
    {
      role: 'tool',
      results: [
        { id: '1', tool: 'bash', output: 'first\n' },
        { id: '2', tool: 'bash', output: 'second' },
      ],
    },
    { role: 'user', text: 'Go on.' },
  ];
  it.each([
    ['first\n\nsecond\nGo on.', true],
    ['/^first\\s+second/', true],
    ['/(?<=second\\n)Go/', true],
    ['/word', false],
    ['old word', false],
    ['my own', false],
    ['You help', false],
    ['/SECOND/', false],
  ])('[M-5] %j against the newest messages: %s', async (written, met) => {
    const turn = await modelOf([{ stage: 'a', text: 'yes', expect: written }])
      .open(who('a'))
      .next(request(CONVERSATION));
    expect(turn).toMatchObject(met ? { turn: 'answer', text: 'yes' } : { turn: 'failed', failure: 'script' });
    if (turn.turn !== 'failed') return;
    expect(turn.message).toContain(written);
    expect(turn.message).toContain('first\n\nsecond\nGo on.');
    expect(turn.message).toContain('script:1');
  });

  it('[M-5] both texts are cut', async () => {
    const turn = await modelOf([{ stage: 'a', expect: 'w'.repeat(5000) }])
      .open(who('a'))
      .next(request([{ role: 'user', text: 'é'.repeat(5000) }]));
    expect(turn).toMatchObject({ failure: 'script' });
    if (turn.turn !== 'failed') return;
    expect(Buffer.byteLength(turn.message)).toBeLessThan(2048);
    expect(turn.message).toContain('(4200 more bytes)');
    expect(turn.message).toContain('(9200 more bytes)');
  });

  it('[M-5] an expression that never ends is an unmet one', async () => {
    const turn = await modelOf([{ stage: 'a', expect: '/^(?=(a+)+$)(a+)+$/' }])
      .open(who('a'))
      .next(request([{ role: 'user', text: `${'a'.repeat(60)}!` }]));
    expect(turn).toMatchObject({ failure: 'script' });
    expect(turn.turn === 'failed' && turn.message).toContain('too long');
  });
});

it('[M-5] what nothing asked for is left over, judge lines too', async () => {
  const lines = [
    { stage: 'a', text: 'used' },
    { judge: 'is kind', verdict: 'PASS', reason: 'r' },
    { stage: 'b', flow: 'review', repeat: 2 },
  ];
  const script = openScript(scriptOf(lines), { clock: createManualClock() });
  await script.model().open(who('a')).next(request());
  expect(script.leftOver()).toEqual(['script:2 for the judge: is kind', 'script:3 for b of review, repeat 2']);
});
