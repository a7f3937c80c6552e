import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRedactor } from '@gated-flow/text';
import { createDisk } from '../../src/io/disk.js';
import type { OpenRun } from '../../src/record/find-run.js';
import { readRun } from '../../src/record/read-run.js';
import { otlpReport } from '../../src/reports/otlp/document.js';
import { spanId, traceId } from '../../src/reports/otlp/identity.js';
import { listOf, resourceOf } from '../../src/reports/otlp/resource.js';
import { runSpans, traceOf } from '../../src/reports/otlp/run-spans.js';
import { type ParentSpan, readTraceparent } from '../../src/reports/otlp/traceparent.js';
import { atHome } from '../readings/at-home.js';
import { calls, clear, go, stage, stops, wrote } from '../run/ground.js';
import { attributesOf, FIXTURES, type OtlpSpan, spansIn, throughProtobuf } from './formats.js';

let at: ReturnType<typeof atHome>;
beforeEach(() => {
  at = atHome();
});
afterEach(() => at.done());
afterAll(clear);

const RUN = join(FIXTURES, 'exhausted');
const otlp = async (run: string, ...words: string[]): Promise<string> => (await at.flow(['report', run, '--format', 'otlp', ...words])).out;
const named = (spans: readonly OtlpSpan[], name: string): readonly OtlpSpan[] => spans.filter((span) => span.name.startsWith(name));

describe('a run as traces', () => {
  it.each(['success', 'exhausted', 'torn'])(
    '[I-10] the frozen record "%s" is all there after a way through the messages of OTLP',
    async (name) => {
      const text = await otlp(join(FIXTURES, name), '--contents');
      expect(spansIn(text).length).toBeGreaterThan(5);
      expect(throughProtobuf(text)).toEqual(JSON.parse(text));
    },
  );

  it('[I-10] a workflow, its agents, their chats and tools, each in the time of the one it belongs to', async () => {
    const spans = spansIn(await otlp(RUN));
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    const [root, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect([root?.name, others]).toEqual(['invoke_workflow triage', []]);
    expect(named(spans, 'invoke_agent').map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(
      ['01-classify', '02-draft', '03-verify'].map((name) => [`invoke_agent ${name}`, root?.spanId]),
    );
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      const parent = byId.get(span.parentSpanId ?? '');
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      if (parent === undefined) continue;
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(parent.startTimeUnixNano));
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent.endTimeUnixNano));
    }
  });

  it('[I-10] attributes by the conventions: operation, provider, model, tokens, why it stopped', async () => {
    const spans = spansIn(await otlp(RUN));
    const [chat] = named(spans, 'chat');
    expect(chat).toMatchObject({ name: 'chat script', kind: 3 });
    expect(attributesOf(chat ?? { attributes: [] })).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'script',
      'gen_ai.agent.name': '01-classify',
      'gen_ai.usage.input_tokens': '1104',
      'gen_ai.usage.output_tokens': '41',
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'tool_calls' }] },
    });
    const [tool] = named(spans, 'execute_tool');
    expect(attributesOf(tool ?? { attributes: [] })).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read',
      'gen_ai.tool.type': 'function',
    });
    const verify = spans.find(({ name }) => name === 'invoke_agent 03-verify');
    expect(verify?.status.code).toBe(2);
    expect(attributesOf(verify ?? { attributes: [] })).toMatchObject({ 'error.type': 'exhausted', 'flow.rounds': '3' });
    const verdicts = (verify?.events ?? []).filter(({ name }) => name === 'gen_ai.evaluation.result').map(attributesOf);
    expect(verdicts.at(-1)).toMatchObject({
      'gen_ai.evaluation.name': 'gate/01-promises.sh',
      'gen_ai.evaluation.score.label': 'fail',
      'flow.exit': '1',
    });
  });

  it('[I-10] no contents unless asked', async () => {
    const silent = await otlp(RUN);
    expect(silent).not.toMatch(/Quillpost|messages|arguments|refund|promise on/);
    const told = await otlp(RUN, '--contents');
    expect(told).toContain('Quillpost');
    const chat = attributesOf(named(spansIn(told), 'chat')[0] ?? { attributes: [] });
    expect(JSON.parse(String(chat['gen_ai.input.messages']))).toMatchObject([{ role: 'user', parts: [{ type: 'text' }] }]);
    expect(JSON.parse(String(chat['gen_ai.output.messages']))).toMatchObject([{ role: 'assistant', finish_reason: 'tool_call' }]);
  });

  it('[I-10] twice the same ids, of another run others', async () => {
    expect(await otlp(RUN)).toBe(await otlp(RUN));
    const ids = new Set(spansIn(await otlp(join(FIXTURES, 'success'))).flatMap(({ traceId: trace, spanId: span }) => [trace, span]));
    for (const span of spansIn(await otlp(RUN))) expect(ids.has(span.traceId) || ids.has(span.spanId)).toBe(false);
  });

  it('[I-10] ids are never of zeros alone', () => {
    expect(traceId('a', 'b')).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
    expect(spanId('a', ['b'])).not.toBe(spanId('a', ['b', '']));
  });

  it('[I-10 G-6] a child run is a workflow in the agent that called it', async () => {
    const { outcome } = await go(
      { '01-ask.md': stage() },
      [
        calls('01-ask', 'subflow', { calls: [{ flow: 'part', input: 'x' }] }),
        { ...wrote('01-say', 'said'), flow: 'part' },
        { ...stops('01-say'), flow: 'part' },
        wrote('01-ask', 'asked'),
        stops('01-ask'),
      ],
      { root: { 'subflows/part/FLOW.md': '---\ndescription: A part\n---\n', 'subflows/part/01-say.md': stage('Say it.') } },
    );
    const spans = spansIn(await otlp(outcome.folder));
    const agent = spans.find(({ name }) => name === 'invoke_agent 01-ask');
    const child = spans.find(({ name }) => name === 'invoke_workflow part');
    expect(child?.parentSpanId).toBe(agent?.spanId);
    expect(spans.find(({ name }) => name === 'invoke_agent 01-say')?.parentSpanId).toBe(child?.spanId);
  });
});

describe("a caller's span", () => {
  const PARENT: ParentSpan = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331', sampled: true, state: null };
  const header = (text: string) => readTraceparent({ TRACEPARENT: text });

  it('[I-10] is read when it is valid', () => {
    expect(header('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')).toEqual(PARENT);
    expect(header('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00')?.sampled).toBe(false);
    expect(header('01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more')).toEqual(PARENT);
  });

  it.each([
    '',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    '00-0af7651916cd43dd-b7ad6b7169203331-01\n::x',
  ])('[I-10] %j is none', (text) => expect(header(text)).toBeNull());

  it('[I-10] is the parent of the workflow, and its trace is that of all spans', async () => {
    const { view } = await readRun(RUN);
    if (view === null) throw new Error('no view');
    const run: OpenRun = { name: 'r', folder: RUN, word: 'r', within: [], outermost: RUN };
    const source = { run, view, disk: createDisk(), redactor: createRedactor([]), alive: false };
    const envelope = { trace: traceOf(source, PARENT), resource: {}, version: '1', redactor: source.redactor, remote: PARENT.span };
    let text = '';
    for await (const piece of otlpReport(runSpans(source, { parent: PARENT, contents: false }), envelope)) text += piece;
    const spans = spansIn(text);
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([PARENT.trace]));
    expect(spans.filter(({ flags }) => (flags & 0x200) !== 0).map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['invoke_workflow triage', PARENT.span],
    ]);
  });
});

describe('what the spans are of', () => {
  it.each([
    [{}, 'flow'],
    [{ OTEL_SERVICE_NAME: 'mine' }, 'mine'],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'service.name=theirs,a=b%20c' }, 'theirs'],
    [{ OTEL_SERVICE_NAME: 'mine', OTEL_RESOURCE_ATTRIBUTES: 'service.name=theirs' }, 'mine'],
  ])('[I-10] %j is named %s', (env, name) => expect(resourceOf(env, '1')['service.name']).toBe(name));

  it('[I-10] lists are percent-encoded; what is no pair is left out', () => {
    expect([...listOf('a=b%20c, d = e=f ,,x,=y,z=%zz')]).toEqual([
      ['a', 'b c'],
      ['d', 'e=f'],
      ['z', '%zz'],
    ]);
  });
});
