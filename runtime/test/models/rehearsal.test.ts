import { parseYaml, splitFrontMatter } from '@gated-flow/yaml';
import { describe, expect, it } from 'vitest';
import { rehearsalModel, type RehearsalOptions } from '../../src/models/rehearsal/model.js';
import { fillTemplate } from '../../src/models/rehearsal/markdown.js';
import type { AgentIdentity, Answer, Message, RehearsalPlace } from '../../src/ports/model.js';

const BEGIN: Message = { role: 'user', text: 'begin' };

function who(place: Partial<RehearsalPlace> = {}, stage = '01-data'): AgentIdentity {
  return { stage, flow: 'main', place: { checklist: 0, inputs: ['request.txt'], ...place } };
}

/** A session that is told things and shown what its calls came to. */
function conversation(agent: AgentIdentity, tools: readonly string[], options: RehearsalOptions = {}) {
  const session = rehearsalModel(options).open(agent);
  const messages: Message[] = [];
  async function next(): Promise<Answer> {
    const turn = await session.next({
      ...{ system: '', messages, signal: new AbortController().signal },
      tools: tools.map((name) => ({ name, description: '', parameters: {} })),
    });
    if (turn.turn === 'failed') throw new Error(turn.message);
    messages.push({ role: 'assistant', text: turn.text, calls: turn.calls });
    return turn;
  }
  return {
    told: (text: string) => (messages.push({ role: 'user', text }), next()),
    shown: (turn: Answer, error?: true) => {
      messages.push({ role: 'tool', results: turn.calls.map(({ id, tool }) => ({ id, tool, output: '', ...(error && { error }) })) });
      return next();
    },
  };
}

const WORKER = ['read', 'write', 'edit', 'bash', 'mark', 'refuse', 'fault', 'subflow'];

describe('a rehearsed stage', () => {
  it('[M-6] marks every item, writes the output, stops; sent back, it does the same again', async () => {
    const talk = conversation(who({ checklist: 2 }), WORKER);
    const first = await talk.told('begin');
    expect(first.calls.map(({ tool, input }) => ({ tool, input }))).toEqual([
      { tool: 'mark', input: { item: 1, state: 'done', evidence: 'rehearsal' } },
      { tool: 'mark', input: { item: 2, state: 'done', evidence: 'rehearsal' } },
      { tool: 'write', input: { path: '$OUTPUT', content: 'Rehearsal of 01-data, which received request.txt.\n' } },
    ]);
    expect(await talk.shown(first)).toMatchObject({ calls: [], stop: 'end' });
    const again = await talk.told('Your output did not pass review.');
    expect(again.calls.map(({ input }) => input)).toEqual(first.calls.map(({ input }) => input));
    expect(new Set([...first.calls, ...again.calls].map(({ id }) => id)).size).toBe(6);
    expect(await talk.shown(again)).toMatchObject({ calls: [], stop: 'end', costUsd: 0 });
  });

  it('[M-6] a passing fixture is written as it is, whatever the schema', async () => {
    const fixture = 'line\r\n\u0000é';
    const turn = await conversation(who({ fixture: Buffer.from(fixture), schema: { kind: 'json', schema: false } }), WORKER).told('begin');
    expect(turn.calls).toMatchObject([{ tool: 'write', input: { content: fixture } }]);
  });

  it('[M-6] a passing fixture that is not UTF-8 is not written as something else', async () => {
    const turn = await conversation(who({ fixture: Buffer.from([0x89, 0xff, 0x50]) }), WORKER).told('begin');
    expect(turn.text).toBe('The first file of .fixtures/pass of 01-data is not UTF-8, and a rehearsal writes text alone.');
    expect(turn.calls).toMatchObject([{ tool: 'write', input: { content: 'Rehearsal of 01-data, which received request.txt.\n' } }]);
  });

  it('[M-6] JSON that satisfies the schema', async () => {
    const schema = {
      type: 'object',
      required: ['word'],
      properties: { word: { type: 'string', minLength: 3 } },
      additionalProperties: false,
    };
    const turn = await conversation(who({ schema: { kind: 'json', schema } }), WORKER).told('begin');
    expect(turn.calls).toMatchObject([{ input: { content: '{\n  "word": "rehearsal"\n}\n' } }]);
    expect(turn.text).toBe('');
  });

  it('[M-6] says so when nothing satisfies the schema, and where to put an output', async () => {
    const turn = await conversation(who({ schema: { kind: 'json', schema: { type: 'string', minLength: 5, maxLength: 4 } } }), WORKER).told(
      'begin',
    );
    expect(turn.text).toMatch(/No value was found.*01-data.*\.fixtures\/pass/);
    expect(turn.calls).toHaveLength(1);
  });

  it('[M-6] what is not offered is not called', async () => {
    expect(await conversation(who({ checklist: 3 }), ['read']).told('begin')).toMatchObject({ calls: [], stop: 'end' });
  });

  it('[M-6] an abort is a failed turn', async () => {
    const request = { system: '', messages: [BEGIN], tools: [], signal: AbortSignal.abort() };
    expect(await rehearsalModel().open(who()).next(request)).toMatchObject({ turn: 'failed', failure: 'aborted', provider: 'rehearsal' });
  });
});

describe('a rehearsed choice', () => {
  const chooser = who({ alternatives: ['stop', 'fix', 'Zoo'] }, '01-c');
  it.each([
    [{}, 'Zoo'],
    [{ choose: { '01-c': 'stop' } }, 'stop'],
    [{ choose: { other: 'stop' } }, 'Zoo'],
  ] as const)('[M-6] %j takes %s, once', async (options, name) => {
    const talk = conversation(chooser, ['read', 'select', 'refuse'], options);
    const turn = await talk.told('begin');
    expect(turn.calls).toMatchObject([{ tool: 'select', input: { name, reason: 'rehearsal' } }]);
    expect(await talk.shown(turn, true)).toMatchObject({ calls: [] });
  });
});

describe('a rehearsed question', () => {
  it('[M-6] is answered stop', async () => {
    const talk = conversation(who(), [...WORKER, 'continue']);
    const work = await talk.told('begin');
    expect(work.calls).toMatchObject([{ tool: 'write' }]);
    await talk.shown(work);
    expect((await talk.told('Is it ready?')).calls).toMatchObject([{ tool: 'continue', input: { answer: 'stop', reason: 'rehearsal' } }]);
  });

  it('[M-6] what was a send-back and no question is worked on again', async () => {
    const talk = conversation(who(), [...WORKER, 'continue']);
    await talk.shown(await talk.told('begin'));
    const mistaken = await talk.told('Nothing was written to $OUTPUT.');
    const work = await talk.shown(mistaken, true);
    expect(work.calls).toMatchObject([{ tool: 'write' }]);
    expect(await talk.shown(work)).toMatchObject({ calls: [], stop: 'end' });
  });
});

describe('a filled template', () => {
  it('[M-6 K-6] has every key with a value of its type', () => {
    const filled = fillTemplate(
      '---\nverdict: str\nscore: int\nshare: float\nready: bool\nparts: list\nwhen: date\nfree:\n"odd: key": str\n---\n',
      'line',
    );
    const split = splitFrontMatter(Buffer.from(filled), { fences: 'required' });
    expect(split).toMatchObject({
      ok: true,
      data: {
        verdict: 'rehearsal',
        score: 1,
        share: 1.5,
        ready: true,
        parts: ['rehearsal'],
        when: '2026-01-01',
        free: 'rehearsal',
        'odd: key': 'rehearsal',
      },
    });
  });

  it.each(['yes', '1', 'null', 'true', '- a', '#x', 'a: b', '"', '~', '', 'é'])('[M-6] the key %j keeps its name', (key) => {
    const filled = fillTemplate(`---\n${JSON.stringify(key)}: str\n---\nbody\n`, 'line');
    expect(parseYaml(filled.split('---\n')[1] ?? '')).toEqual({ ok: true, value: { [key]: 'rehearsal' } });
  });

  it('[M-6] has a line under every heading, not inside code', () => {
    expect(fillTemplate('# One\n\nWrite here.\n\n```\n# no heading\n```\n\n## Two\n', 'line')).toBe(
      '# One\n\nline\n\nWrite here.\n\n```\n# no heading\n```\n\n## Two\n\nline\n',
    );
  });

  it('[M-6] without headings the line comes last', () => {
    expect(fillTemplate('Some words', 'line')).toBe('Some words\nline\n');
    expect(fillTemplate('', 'line')).toBe('line\n');
  });
});
