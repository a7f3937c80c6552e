/** Whole runs against providers in trouble, each kind on each protocol: what comes of it, and that the session says all that was asked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSessionLine } from '@gated-flow/record';
import type { SessionLine } from '@gated-flow/record';
import { FLOW, KEY, repliesOf, TROUBLES, type Trouble } from '../../../scripts/lib/provider-trouble.mjs';
import { WIRES, type Wire } from '../../../scripts/lib/wires.mjs';
import { requestsOf, type Asked } from '../../src/agent/rebuild.js';
import { openModel } from '../../src/models/provider/open.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Model } from '../../src/ports/model.js';
import { clear, go, type Ran } from '../run/ground.js';
import { AGENT } from './asking.js';
import { answering, status, type Loopback } from './loopback.js';

let capture: Loopback;
beforeAll(async () => {
  capture = await answering(() => status(400, {}));
});
afterAll(async () => {
  clear();
  await capture.close();
});

interface Knocked extends Ran {
  /** The bodies that the server was sent, as text. */
  readonly asked: readonly string[];
  readonly session: readonly SessionLine[];
}

/** Waiting takes no time. */
const hurried = (clock: Clock): Clock => ({ ...clock, sleep: async () => undefined });

async function knock(wire: Wire, trouble: Partial<Trouble>, at: number): Promise<Knocked> {
  const replies = repliesOf(wire, trouble, at);
  const server = await answering((index) => replies[index] ?? status(400, wire.error('some_kind', 'One request too many.')));
  const model = await modelAt(wire.provider, wire.model, server);
  const ran = await go({ '01-word/STAGE.md': FLOW['STAGE.md'](60), '01-word/gate.sh': { x: FLOW['gate.sh'] } }, [], {
    models: () => () => model,
    env: () => ({ THE_KEY: KEY, THE_KEY_API_KEY: KEY }),
    machine: (machine) => ({ ...machine, clock: hurried(machine.clock) }),
  });
  await server.close();
  const lines = ran.read('stages/01-word/1/session.jsonl').trimEnd().split('\n');
  const session = lines.map((line) => parseSessionLine(Buffer.from(line))).filter((line) => line !== null);
  expect(session).toHaveLength(lines.length);
  return { ...ran, asked: server.seen.map(({ text }) => text), session };
}

async function modelAt(provider: string, name: string, { url }: Loopback, more: object = { reasoning: 'low' }): Promise<Model> {
  const baseUrl = provider === 'openai-compatible' ? `${url}/v1` : url;
  const clock: Clock = { now: Date.now, elapsed: () => performance.now(), after: () => () => undefined, sleep: async () => undefined };
  const opened = await openModel({ provider, model: name, baseUrl, apiKeyEnv: 'THE_KEY', ...more }, { env: { THE_KEY: KEY }, clock });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusals));
  return opened.model;
}

/** The body that a request from the session file would have. */
async function bodyOf({ settings, ...asked }: Asked): Promise<string> {
  if (settings === undefined) throw new Error('the session names no provider');
  const { provider, model, reasoning, max_output_tokens: maxOutputTokens } = settings;
  const again = await modelAt(provider, model, capture, { reasoning, maxOutputTokens });
  await again.open(AGENT).next({ ...asked, signal: new AbortController().signal });
  return capture.seen.at(-1)?.text ?? '';
}

/** Every request once: a try again asks the same. */
const distinct = (bodies: readonly string[]): readonly string[] => bodies.filter((body, index) => body !== bodies[index - 1]);

async function rebuilt(session: readonly SessionLine[]): Promise<readonly string[]> {
  const bodies = [];
  for (const asked of requestsOf(session)) bodies.push(await bodyOf(asked));
  return bodies;
}

const timeless = (session: readonly SessionLine[]): string[] => session.map(({ ts: _, ...entry }) => JSON.stringify(entry));
const retriesOf = ({ retries = 0 }: Trouble, wire: Wire): number => (typeof retries === 'function' ? retries(wire) : retries);

const wires = Object.values(WIRES);
const cleanRuns = new Map<Wire, Knocked>();

async function cleanOf(wire: Wire): Promise<Knocked> {
  const clean = cleanRuns.get(wire) ?? (await knock(wire, {}, 0));
  cleanRuns.set(wire, clean);
  return clean;
}

describe.each(wires)('$provider', (wire) => {
  it('[L-2 M-1 R-4] without trouble: two attempts, four requests, each of them in the session file, tokens in the record', async () => {
    const clean = await cleanOf(wire);
    expect(clean.told('stage_end')).toMatchObject([{ attempts: 2, cause: 'success' }]);
    expect(clean.asked).toHaveLength(4);
    expect((await rebuilt(clean.session)).slice(0, 4)).toEqual(clean.asked);
    const who = { provider: wire.provider, model: wire.model };
    expect(clean.told('turn')).toMatchObject([
      { ...who, retry: 1, output: 10, cache_read: 40, cache_write: null, stop: 'calls' },
      { ...who, retry: 1, output: 3, cache_read: null, stop: 'end' },
      { ...who, retry: 2, output: 9, stop: 'calls' },
      { ...who, retry: 2, stop: 'end' },
    ]);
  });

  it('[L-2 L-3 L-4] every request of a stormy session is in its file: retries, cut answers, bad calls, marks, a send-back', async () => {
    const storm: Partial<Trouble> = {
      replies: (at) =>
        ['529', 'reset in mid-stream', 'three cut answers', 'arguments that are no JSON', 'truncated stream'].flatMap(
          (name) => TROUBLES.find(({ kind }) => kind === name)?.replies?.(at) ?? [],
        ),
    };
    const ran = await knock(wire, storm, 2);
    expect(ran.told('stage_end')).toMatchObject([{ cause: 'success', attempts: 2 }]);
    expect(ran.told('provider_retry')).toHaveLength(wire.wholeCalls === true ? 4 : 3);
    const asked = distinct(ran.asked);
    expect((await rebuilt(ran.session)).slice(0, -1)).toEqual(asked);
    expect(asked).toHaveLength(wire.wholeCalls === true ? 7 : 8);
  });
});

describe.each(wires)('what mends it, from $provider', (wire) => {
  it('[L-4 M-1] names the address and the content type of a page that is no answer, and asks once', async () => {
    const page = status(200, '<html>Sign in</html>', { 'content-type': 'text/html; charset=utf-8' });
    const ran = await knock(wire, { replies: () => [page] }, 0);
    expect(ran.asked).toHaveLength(1);
    expect(ran.told('provider_retry')).toEqual([]);
    expect(ran.told('stage_end')).toMatchObject([{ cause: 'fault', exit: 2 }]);
    expect(ran.told('stage_end')[0]?.reason).toMatch(
      /http:\/\/127\.0\.0\.1:\d+\S* answered with a page \(text\/html; charset=utf-8\).*`base-url`/,
    );
  });

  it.each([
    [401, /The key in THE_KEY was not accepted at http:\/\/127\.0\.0\.1:\d+/],
    [403, /The key in THE_KEY may not use .* at http/],
    [404, /there is no model .*`base-url` http:\/\/127\.0\.0\.1:\d+.*flow models/],
  ])('[E-4 L-4] says what to do about %i', async (code, advice) => {
    const ran = await knock(wire, { replies: (at) => [status(code, at.error('some_kind', 'No.'))] }, 0);
    expect(ran.told('stage_end')[0]?.reason).toMatch(advice);
  });
});

/** Each kind on one of the protocols, in turn; `scripts/knocks/provider.mjs` takes all of them. */
const cases = TROUBLES.filter(({ timeout }) => timeout === undefined).flatMap((trouble, index) => {
  const wire = wires[index % wires.length];
  return wire ? [{ trouble, wire, at: index % 3 === 0 ? 0 : 2 }] : [];
});

it.each(cases)('[Q-26 L-3 L-4 L-2] $trouble.kind, from $wire.provider', async ({ trouble, wire, at }) => {
  const clean = await cleanOf(wire);
  const ran = await knock(wire, trouble, at);
  const [end] = ran.told('stage_end');
  const retried = ran.told('provider_retry');
  expect(JSON.stringify(ran.facts) + JSON.stringify(ran.session)).not.toContain(KEY);

  const bodies = await rebuilt(ran.session);
  const asked = distinct(ran.asked);
  expect(bodies.slice(0, asked.length)).toEqual(asked);

  if (trouble.ends) {
    expect(end).toMatchObject({ cause: trouble.ends.cause, exit: trouble.ends.exit, attempts: at === 0 ? 1 : 2 });
    expect(end?.reason).toMatch(trouble.ends.says);
    expect(Buffer.byteLength(end?.reason ?? '')).toBeLessThan(2_300);
    expect(retried).toHaveLength(trouble.ends.retries ?? 0);
    expect(ran.told('check').length).toBe(at === 0 ? 0 : clean.told('check').filter(({ retry }) => retry === 1).length);
    return;
  }
  expect(end).toMatchObject({ cause: 'success', attempts: trouble.attempts ?? 2 });
  expect(retried).toHaveLength(retriesOf(trouble, wire));
  for (const [index, retry] of retried.entries()) {
    expect(retry).toMatchObject({
      attempt: index + 1,
      retry: at === 0 ? 1 : 2,
      ...(trouble.status === undefined ? {} : { status: trouble.status }),
    });
    expect(retry.delay_ms).toBeGreaterThanOrEqual(trouble.delay?.[0] ?? 0);
    expect(retry.delay_ms).toBeLessThanOrEqual(trouble.delay?.[1] ?? 60_000);
  }
  if (trouble.more !== true) {
    expect(timeless(ran.session)).toEqual(timeless(clean.session));
    expect(ran.told('check')).toHaveLength(clean.told('check').length);
  }
});
