// The protocols of the providers as their servers speak them, for loopback servers: what an answer looks like on the
// wire, and what an error does. An answer is said once and put into the words of each.

/**
 * @typedef {{id: string, name: string, pieces: string[]}} Call arguments as JSON text, in the pieces in which they arrive
 * @typedef {{text?: string, thinking?: string, calls?: Call[], stop?: 'end' | 'calls' | 'length' | 'withheld', usage?: {input: number, output: number, read?: number}}} Said
 */

const anthropic = {
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  key: 'ANTHROPIC_API_KEY',
  path: /^\/v1\/messages$/,
  authorization: 'x-api-key',
  contextWords: 'prompt is too long: 210000 tokens > 200000 maximum',
  error: (kind, message) => ({ type: 'error', error: { type: kind, message } }),
  streamedError: (message) => ({ type: 'error', error: { type: 'overloaded_error', message } }),
  answer({ text, thinking, calls = [], stop, usage }) {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null };
    const told = { input_tokens: usage?.input ?? 10, output_tokens: 1, ...(usage?.read && { cache_read_input_tokens: usage.read }) };
    const blocks = [
      ...(thinking === undefined ? [] : [{ begin: { type: 'thinking', thinking: '', signature: '' }, deltas: thought(thinking) }]),
      ...(text === undefined
        ? []
        : [{ begin: { type: 'text', text: '' }, deltas: halves(text).map((part) => ({ type: 'text_delta', text: part })) }]),
      ...calls.map(({ id, name, pieces }) => ({
        begin: { type: 'tool_use', id, name, input: {} },
        deltas: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      })),
    ];
    return [
      { type: 'message_start', message: { ...message, usage: told } },
      ...blocks.flatMap(({ begin, deltas }, index) => [
        { type: 'content_block_start', index, content_block: begin },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: {
          stop_reason: { end: 'end_turn', calls: 'tool_use', length: 'max_tokens', withheld: 'refusal' }[stop ?? ended(calls)],
          stop_sequence: null,
        },
        usage: { output_tokens: usage?.output ?? 5 },
      },
      { type: 'message_stop' },
    ];
  },
};

const thought = (text) => [
  { type: 'thinking_delta', thinking: text },
  { type: 'signature_delta', signature: 'c2lnbmVk' },
];

const openai = {
  provider: 'openai',
  model: 'gpt-6.1-sol',
  key: 'OPENAI_API_KEY',
  path: /^\/v1\/responses$/,
  authorization: 'authorization',
  contextWords: 'Your input exceeds the context window of this model (210000 > 200000 tokens). Please adjust your input and try again.',
  error: (kind, message) => ({ error: { message, type: kind, param: null, code: kind } }),
  streamedError: (message) => ({
    type: 'error',
    sequence_number: 3,
    error: { type: 'server_error', code: 'server_is_overloaded', message, param: null },
  }),
  answer({ text, thinking, calls = [], stop, usage }) {
    const items = [
      ...(thinking === undefined ? [] : [reasoned(thinking)]),
      ...(text === undefined ? [] : [said(text)]),
      ...calls.map(called),
    ];
    const cut = { length: 'max_output_tokens', withheld: 'content_filter' }[stop ?? 'end'];
    const tokens = usage && {
      input_tokens: usage.input,
      output_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      ...(usage.read !== undefined && { input_tokens_details: { cached_tokens: usage.read } }),
    };
    const response = {
      id: 'resp_1',
      created_at: 1,
      model: 'm',
      incomplete_details: cut === undefined ? null : { reason: cut },
      usage: tokens ?? null,
    };
    return [
      { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'm' } },
      ...items.flatMap((item, output_index) => item.map((event) => ({ output_index, ...event }))),
      { type: cut === undefined ? 'response.completed' : 'response.incomplete', response },
    ];
  },
};

const reasoned = (text) => [
  { type: 'response.output_item.added', item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'Zmlyc3Q=' } },
  { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: 0 },
  { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta: text },
  { type: 'response.reasoning_summary_part.done', item_id: 'rs_1', summary_index: 0 },
  { type: 'response.output_item.done', item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VjcmV0IHRob3VnaHRz' } },
];

const said = (text) => [
  { type: 'response.output_item.added', item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] } },
  ...halves(text).map((delta) => ({ type: 'response.output_text.delta', item_id: 'msg_1', content_index: 0, delta })),
  { type: 'response.output_item.done', item: { type: 'message', id: 'msg_1', role: 'assistant' } },
];

const called = ({ id, name, pieces }) => [
  { type: 'response.output_item.added', item: { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '' } },
  ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', item_id: `fc_${id}`, delta })),
  {
    type: 'response.output_item.done',
    item: { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: pieces.join(''), status: 'completed' },
  },
];

const google = {
  provider: 'google',
  model: 'gemini-3.8-flash',
  key: 'GEMINI_API_KEY',
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
  authorization: 'x-goog-api-key',
  wholeCalls: true,
  contextWords: 'The input token count (1210000) exceeds the maximum number of tokens allowed (1048576).',
  error: (kind, message) => ({ error: { code: 0, message, status: kind } }),
  streamedError: (message) => ({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
  /** Arguments come whole on this wire; what is no JSON never leaves the server as a call. */
  answer({ text, thinking, calls = [], stop, usage }) {
    const broken = calls.some(({ pieces }) => !isJson(pieces.join('') || '{}'));
    const parts = [
      ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
      ...(text === undefined ? [] : halves(text).map((each) => ({ text: each }))),
      ...(broken ? [] : calls).map(({ id, name, pieces }, index) => ({
        functionCall: { id, name, args: JSON.parse(pieces.join('') || '{}') },
        ...(index === 0 && { thoughtSignature: 'c2lnbmVkIHRob3VnaHQ=' }),
      })),
    ];
    const reason = broken ? 'MALFORMED_FUNCTION_CALL' : ({ length: 'MAX_TOKENS', withheld: 'SAFETY' }[stop ?? 'end'] ?? 'STOP');
    const usageMetadata = usage && {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      ...(usage.read !== undefined && { cachedContentTokenCount: usage.read }),
    };
    return [
      ...parts.map((part) => ({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] })),
      {
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: reason }],
        ...(usageMetadata && { usageMetadata }),
      },
    ];
  },
};

const compatible = {
  provider: 'openai-compatible',
  model: 'local-7b',
  key: 'LOCAL_API_KEY',
  path: /^\/v1\/chat\/completions$/,
  authorization: 'authorization',
  contextWords: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  error: (kind, message) => ({ error: { message, type: kind, code: kind } }),
  streamedError: (message) => ({ error: { message, type: 'server_error', code: 'overloaded' } }),
  answer({ text, thinking, calls = [], stop, usage }) {
    const chunk = (delta, finish_reason = null) => ({
      id: 'c1',
      object: 'chat.completion.chunk',
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    });
    const reason = { end: 'stop', calls: 'tool_calls', length: 'length', withheld: 'content_filter' }[stop ?? ended(calls)];
    const begun = calls.map(({ id, name }, index) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    );
    // Pieces of several calls arrive in turn, as parallel calls may.
    const rounds = Math.max(0, ...calls.map(({ pieces }) => pieces.length));
    const pieces = Array.from({ length: rounds }, (_, round) =>
      calls.flatMap((call, index) =>
        call.pieces[round] === undefined ? [] : [chunk({ tool_calls: [{ index, function: { arguments: call.pieces[round] } }] })],
      ),
    ).flat();
    const tokens = usage && {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      ...(usage.read !== undefined && { prompt_tokens_details: { cached_tokens: usage.read } }),
    };
    return [
      chunk({ role: 'assistant', content: null }),
      ...(thinking === undefined ? [] : [chunk({ reasoning_content: thinking })]),
      ...(text === undefined ? [] : halves(text).map((content) => chunk({ content }))),
      ...begun,
      ...pieces,
      chunk({}, reason),
      ...(tokens ? [{ id: 'c1', object: 'chat.completion.chunk', choices: [], usage: tokens }] : []),
      'data: [DONE]\n\n',
    ];
  },
};

/** All of them, by the provider's name. */
export const WIRES = { anthropic, openai, google, 'openai-compatible': compatible };

/** An event as a server sends it; a text goes out as it is. */
export function framed(event) {
  if (typeof event === 'string') return event;
  const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

const ended = (calls) => (calls.length > 0 ? 'calls' : 'end');

function halves(text) {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '');
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
