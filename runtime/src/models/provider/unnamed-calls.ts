import { isObject, own, parsed } from '../json.js';
import type { WebFetch } from './transport.js';

/** What a call is named whose model named no tool. No tool is called so: the agent is told that (L-6). */
export const UNNAMED = 'unnamed';

/**
 * For OpenAI-compatible servers, of whose calls the library drops those without a name, and whose arguments it gives to another.
 * An empty name is held back until the answer's last piece: some servers send it before the real one, or beside every piece.
 */
export function namingCalls(fetch: WebFetch): WebFetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (response.body === null || !/^text\/event-stream\b/i.test(type)) return response;
    const { status, statusText, headers } = response;
    const named = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(namedLines()).pipeThrough(new TextEncoderStream());
    return new Response(named, { status, statusText, headers });
  };
}

function namedLines(): TransformStream<string, string> {
  const nameless = new Map<unknown, boolean>();
  let rest = '';
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      const whole = lines.map((line) => `${named(line, nameless)}\n`).join('');
      if (whole !== '') controller.enqueue(whole);
    },
    flush: (controller) => controller.enqueue(named(rest, nameless)),
  });
}

/** `nameless`: by the number of a call, whether it has still no name. A line that needs no change stays as it is, byte for byte. */
function named(line: string, nameless: Map<unknown, boolean>): string {
  const calling = line.includes('"tool_calls"');
  if (!line.startsWith('data:') || !(calling || [...nameless.values()].includes(true))) return line;
  const event = parsed(line.slice('data:'.length));
  const choice = isObject(event) ? firstOf(own(event, 'choices')) : undefined;
  if (!isObject(event) || choice === undefined) return line;
  const delta = own(choice, 'delta');
  const sent = isObject(delta) ? own(delta, 'tool_calls') : undefined;
  const calls = Array.isArray(sent) ? sent.map((call: unknown) => withoutBlankName(call, nameless)) : [];
  const last = typeof own(choice, 'finish_reason') === 'string' ? namesFor(nameless) : [];
  if (calls.length + last.length === 0) return line;
  const said = { ...(isObject(delta) ? delta : {}), tool_calls: [...calls, ...last] };
  return `data: ${JSON.stringify({ ...event, choices: [{ ...choice, delta: said }] })}`;
}

function firstOf(choices: unknown): Readonly<Record<string, unknown>> | undefined {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(first) ? first : undefined;
}

function withoutBlankName(call: unknown, nameless: Map<unknown, boolean>): unknown {
  const number = isObject(call) ? own(call, 'index') : undefined;
  const about = isObject(call) ? own(call, 'function') : undefined;
  if (!isObject(call) || !isObject(about) || typeof number !== 'number') return call;
  const { name, ...others } = about;
  const blank = typeof name !== 'string' || name.trim() === '';
  nameless.set(number, blank && (nameless.get(number) ?? true));
  return blank ? { ...call, function: others } : call;
}

function namesFor(nameless: Map<unknown, boolean>): readonly object[] {
  const numbers = [...nameless].filter(([, still]) => still).map(([number]) => number);
  for (const number of numbers) nameless.set(number, false);
  return numbers.map((index) => ({ index, function: { name: UNNAMED } }));
}
