/** The spans of one pass of a stage: its agent, the model's turns, the tools. Pure: events and lines of the session in, spans out. */
import type { FactOf, RecordEvent, SessionLine } from '@gated-flow/record';
import { spanId } from './identity.js';
import { contentOf, type Message, messageOf } from './messages.js';
import { providerName } from './names.js';
import type { Attributes, Span, SpanEvent } from './span.js';

export interface StageTrace {
  readonly trace: string;
  /** Names the run that the stage is of, then the stage. */
  readonly words: readonly string[];
  readonly parent: string;
  /** The run's name. */
  readonly run: string;
  /** The words of the conversation, arguments and results of tools too. */
  readonly contents: boolean;
}

type Turn = FactOf<'turn'> & { readonly at: number };

export interface StageSpans {
  /** The id of the agent's span. */
  readonly agent: string;
  event(event: RecordEvent): void;
  /** Lines of its session, in order, once all of its events were seen. */
  line(line: SessionLine): readonly Span[];
  /** What is left: the turns that no line told of, and the agent itself. `now`: when nothing says how it ended. */
  end(now: number): readonly Span[];
}

export function createStageSpans(
  first: RecordEvent & { readonly stage: string },
  { trace, words, parent, run, contents }: StageTrace,
): StageSpans {
  const { stage, repeat } = first;
  const agent = spanId(trace, [...words, 'agent']);
  const started = Date.parse(first.ts);
  const turns: Turn[] = [];
  const events: SpanEvent[] = [];
  const input: Message[] = [];
  let told = 0;
  let ending: (FactOf<'stage_end'> & { readonly at: number }) | null = null;
  let asked: {
    readonly at: number;
    readonly calls: ReadonlyMap<string, { readonly tool: string; readonly input: unknown; readonly nth: number }>;
  } | null = null;
  let calls = 0;
  let instructions: string | null = null;
  let reused = false;
  const sum = { input: 0, output: 0, cache_read: 0, cache_write: 0, any: false };

  const common = { 'gen_ai.conversation.id': `${run}/${words.slice(1).join('/')}`, 'gen_ai.agent.name': stage };

  function chat(turn: Turn, output: Message | null): Span {
    const nth = told;
    told += 1;
    return {
      id: spanId(trace, [...words, 'chat', String(nth)]),
      parent: agent,
      name: `chat ${turn.model}`,
      kind: 'client',
      start: turn.at - turn.ms,
      end: turn.at,
      status: 'unset',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': providerName(turn.provider),
        ...common,
        'gen_ai.request.model': turn.model,
        'gen_ai.response.finish_reasons': [finishReason(turn.stop)],
        ...usageOf(turn),
        'flow.round': turn.retry ?? 1,
        'flow.cost_usd': turn.cost_usd === null ? null : { double: turn.cost_usd },
        ...(contents && output !== null
          ? { 'gen_ai.input.messages': contentOf(input.splice(0)), 'gen_ai.output.messages': contentOf([output]) }
          : {}),
      },
    };
  }

  function tools(line: SessionLine & { readonly kind: 'tool' }): readonly Span[] {
    const at = Date.parse(line.ts);
    return line.results.map(({ id, tool, output, error }) => {
      const call = asked?.calls.get(id);
      calls += 1;
      return {
        id: spanId(trace, [...words, 'tool', String(calls)]),
        parent: agent,
        name: `execute_tool ${tool}`,
        kind: 'internal',
        start: asked?.at ?? at,
        end: at,
        status: error === true ? 'error' : 'unset',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': id,
          ...common,
          'error.type': error === true ? '_OTHER' : null,
          ...(contents ? { 'gen_ai.tool.call.arguments': contentOf(call?.input ?? null), 'gen_ai.tool.call.result': output } : {}),
        },
      };
    });
  }

  function agentSpan(now: number): Span {
    const cause = ending?.cause;
    const [turn] = turns;
    return {
      id: agent,
      parent,
      name: `invoke_agent ${stage}`,
      kind: 'internal',
      start: started,
      end: ending?.at ?? now,
      events,
      status: cause === undefined ? 'unset' : cause === 'success' ? 'ok' : 'error',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': turn === undefined ? null : providerName(turn.provider),
        ...common,
        'gen_ai.request.model': turn?.model,
        ...(sum.any ? usageOf(sum) : {}),
        'error.type': cause === undefined || cause === 'success' ? null : cause,
        'flow.stage': stage,
        'flow.repeat': repeat,
        'flow.rounds': ending?.attempts,
        'flow.cause': cause,
        'flow.reused': reused ? true : null,
        ...(contents && instructions !== null
          ? { 'gen_ai.system_instructions': contentOf([{ type: 'text', content: instructions }]) }
          : {}),
      },
    };
  }

  return {
    agent,
    event(event) {
      const at = Date.parse(event.ts);
      if (event.event === 'turn') {
        turns.push({ ...event, at });
        sum.any = true;
        sum.input += event.input ?? 0;
        sum.output += event.output ?? 0;
        sum.cache_read += event.cache_read ?? 0;
        sum.cache_write += event.cache_write ?? 0;
      } else if (event.event === 'check' || event.event === 'hook') events.push(verdictEvent(event, at));
      else if (event.event === 'provider_retry')
        events.push({
          name: 'flow.provider_retry',
          at,
          attributes: { 'flow.attempt': event.attempt, 'http.response.status_code': event.status },
        });
      else if (event.event === 'stage_reused') reused = true;
      else if (event.event === 'stage_end') ending = { ...event, at };
    },
    line(line) {
      switch (line.kind) {
        case 'system':
          instructions = line.text;
          return [];
        case 'user':
          if (contents) input.push(messageOf(line));
          return [];
        case 'assistant': {
          const turn = turns[told];
          asked = { at: Date.parse(line.ts), calls: new Map(line.calls.map((call, nth) => [call.id, { ...call, nth }])) };
          return turn === undefined ? [] : [chat(turn, messageOf(line))];
        }
        case 'tool': {
          if (contents) input.push(messageOf(line));
          return tools(line);
        }
        case 'tools':
          return [];
      }
    },
    end(now) {
      const untold: Span[] = [];
      for (let turn = turns[told]; turn !== undefined; turn = turns[told]) untold.push(chat(turn, null));
      return [...untold, agentSpan(now)];
    },
  };
}

/** A check, as the conventions call a judgement of what a model made. */
function verdictEvent(event: FactOf<'check'> | FactOf<'hook'>, at: number): SpanEvent {
  const { exit, ms, file, retry } = event;
  const name = file ?? (event.event === 'check' ? event.check : event.hook);
  const passed = exit === 0 && event.overflow !== true;
  const about: Attributes = { 'flow.exit': exit, 'flow.duration_ms': ms, 'flow.round': retry };
  if (event.event === 'hook') return { name: 'flow.hook', at, attributes: { 'flow.hook': event.hook, 'flow.file': name, ...about } };
  return {
    name: 'gen_ai.evaluation.result',
    at,
    attributes: {
      'gen_ai.evaluation.name': name,
      'gen_ai.evaluation.score.label': passed ? 'pass' : 'fail',
      'flow.check': event.check,
      ...about,
    },
  };
}

/** `input` is of all tokens, those read from a cache and written there too. */
function usageOf(turn: Pick<FactOf<'turn'>, 'input' | 'output' | 'cache_read' | 'cache_write'>): Attributes {
  return {
    'gen_ai.usage.input_tokens': turn.input,
    'gen_ai.usage.output_tokens': turn.output,
    'gen_ai.usage.cache_read.input_tokens': turn.cache_read,
    'gen_ai.usage.cache_creation.input_tokens': turn.cache_write,
  };
}

/** The record's word for why a model stopped, in the conventions' words. */
function finishReason(stop: string): string {
  return { end: 'stop', calls: 'tool_calls' }[stop] ?? stop;
}
