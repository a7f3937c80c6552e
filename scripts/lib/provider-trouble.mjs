// What can go wrong with a provider, and what has to come of it: one list for the knocks and for the tests.
import { dripped, status, stream } from './loopback.mjs';

export const KEY = 'sk-knock-very-secret-key';

const call = (id, name, input) => ({ id, name, pieces: cutUp(JSON.stringify(input)) });
const cutUp = (text) => [text.slice(0, 7), text.slice(7, 11), text.slice(11)].filter((piece) => piece !== '');

/** What the agent does when nothing is wrong: bad work, a send-back, good work. Wrong calls among it are the agent's own. */
const TURNS = [
  {
    thinking: 'A word is wanted.',
    text: 'I begin.',
    usage: { input: 100, output: 10, read: 40 },
    calls: [
      call('call_1', 'write', { path: '$OUTPUT', content: 'bad\n' }),
      call('call_2', 'fly', { to: 'Rome' }),
      call('call_3', 'read', { path: 7 }),
      call('call_4', 'read', { path: '$OUTPUT' }),
    ],
  },
  { text: 'Done.', usage: { input: 140, output: 3 } },
  {
    thinking: 'Better.',
    calls: [
      call('call_5', 'write', { path: '$OUTPUT', content: 'good\n' }),
      call('call_6', 'mark', { item: 9, state: 'done', evidence: 'none' }),
      call('call_7', 'mark', { item: 1, state: 'done', evidence: 'It was looked at.' }),
    ],
    usage: { input: 160, output: 9 },
  },
  { text: 'Now it is good.', usage: { input: 180, output: 3 } },
];

export const FLOW = {
  'STAGE.md': (timeout) => `---\ntimeout: ${timeout}\n---\nWrite the word.\n\n## Checklist\n\n- The word was looked at\n`,
  'gate.sh': '#!/bin/sh\ngrep -q good "$1" && exit 0\necho "The word is not good." >&2\nexit 1\n',
};

/**
 * Every kind: `replies(wire)` come before the turn at which it happens. With `retries` the run goes on as if nothing had been and
 * ends well, after so many of them; `more` when it is the agent's own and leaves turns in the session; `ends` says how it ends
 * otherwise. `timeout` is the stage's, in seconds.
 */
export const TROUBLES = [
  ...[408, 409, 425, 429, 500, 502, 503, 504, 529].map((code) => ({
    kind: `${code}`,
    replies: (wire) => [refused(wire, code, { 'retry-after': '0' })],
    retries: 1,
    status: code,
  })),
  {
    kind: '429, Retry-After in seconds',
    replies: (wire) => [refused(wire, 429, { 'retry-after': '0.05' })],
    retries: 1,
    status: 429,
    delay: [50, 50],
  },
  { kind: '429, Retry-After as a date', replies: (wire) => [later(wire, 1_000)], retries: 1, status: 429, delay: [0, 1_000] },
  { kind: '429, Retry-After as a date gone by', replies: (wire) => [later(wire, -9_000)], retries: 1, status: 429, delay: [0, 0] },
  { kind: '529 storm of eight', replies: (wire) => times(8, refused(wire, 529, { 'retry-after': '0' })), retries: 8, status: 529 },
  { kind: 'reset before a byte', replies: () => [(response) => response.destroy()], retries: 1 },
  { kind: 'reset in mid-stream', replies: (wire) => [half(wire, 'reset')], retries: 1 },
  { kind: 'truncated stream', replies: (wire) => [half(wire, 'end')], retries: 1 },
  { kind: 'stream cut inside a call', replies: (wire) => [stream(wire.answer(LONE_CALL).slice(0, wire.wholeCalls ? 1 : 3))], retries: 1 },
  { kind: 'empty stream', replies: () => [stream([])], retries: 1 },
  { kind: 'garbage JSON', replies: (wire) => [stream([...wire.answer(TURNS[0]).slice(0, 2), 'data: {"type": "cont\n\n'])], retries: 1 },
  { kind: 'JSON of another shape', replies: () => [stream([{ choices: 'none', candidates: 7 }])], retries: 1 },
  {
    kind: 'a page instead of a stream',
    replies: () => [status(200, '<html>Sign in</html>', { 'content-type': 'text/html' })],
    ends: { cause: 'fault', exit: 2, says: /answered with a page \(text\/html\).*`base-url`/ },
  },
  { kind: 'a page with 502', replies: () => [status(502, '<html>Bad gateway</html>', { 'retry-after': '0' })], retries: 1, status: 502 },
  {
    kind: 'error inside the stream',
    replies: (wire) => [stream([...wire.answer(TURNS[0]).slice(0, 2), wire.streamedError('Busy.')])],
    retries: 1,
  },
  { kind: 'slow loris that gets there', instead: (wire, said) => dripped(wire.answer(said), { bytes: 40, ms: 2 }), retries: 0 },
  {
    kind: 'slow loris without end',
    replies: (wire) => [dripped(wire.answer(TURNS[1]).slice(0, 2), { bytes: 9, ms: 5, endless: true })],
    timeout: 2,
    ends: { cause: 'timeout', exit: 1, says: /not finished within its 2 s/ },
  },
  {
    kind: 'silence',
    replies: () => [() => undefined],
    timeout: 2,
    ends: { cause: 'timeout', exit: 1, says: /not finished within its 2 s/ },
  },
  {
    kind: '429 beyond the clock',
    replies: (wire) => [refused(wire, 429, { 'retry-after': '7200' })],
    ends: { cause: 'fault', exit: 2, says: /\(429\).*could be made at \d{4}-\d\d-\d\dT/ },
  },
  {
    kind: '429 as a date beyond the clock',
    replies: (wire) => [later(wire, 86_400_000)],
    ends: { cause: 'fault', exit: 2, says: /\(429\).*could be made at \d{4}-\d\d-\d\dT/ },
  },
  {
    kind: '529 storm without end',
    replies: (wire) => times(9, refused(wire, 529, { 'retry-after': '0' })),
    ends: { cause: 'fault', exit: 2, retries: 8, says: /\(529\).*tried 9 times/ },
  },
  ...[400, 401, 403, 404, 422].map((code) => ({
    kind: `${code}, with the key in its words`,
    replies: (wire) => [status(code, wire.error('some_kind', `Wrong: ${KEY} is not welcome.`))],
    ends: { cause: 'fault', exit: 2, says: new RegExp(`\\(${code}\\): Wrong: \\*\\*\\* is not welcome`) },
  })),
  {
    kind: 'words without end',
    replies: (wire) => [status(400, wire.error('some_kind', 'é'.repeat(50_000)))],
    ends: { cause: 'fault', exit: 2, says: /\(400\): éé/ },
  },
  {
    kind: 'context overflow',
    replies: (wire) => [status(400, wire.error('invalid_request_error', wire.contextWords))],
    ends: { cause: 'fault', exit: 2, says: /no longer fits the model \(400\): .*\d{4,}.*\d+ messages, \d+ bytes/ },
  },
  {
    kind: 'withheld by a filter',
    replies: (wire) => [stream(wire.answer({ text: 'I can', stop: 'withheld' }))],
    ends: { cause: 'fault', exit: 2, says: /withheld the answer/ },
  },
  {
    kind: 'arguments that are no JSON',
    replies: (wire) => [stream(wire.answer({ calls: [{ id: 'call_0', name: 'write', pieces: ['{"path": ', '"$OUT'] }] }))],
    retries: (wire) => (wire.wholeCalls ? 1 : 0),
    more: true,
  },
  {
    kind: 'three cut answers',
    replies: (wire) => times(3, stream(wire.answer({ text: 'On and', stop: 'length' }))),
    retries: 0,
    more: true,
  },
  {
    kind: 'ten cut answers',
    replies: (wire) => times(10, stream(wire.answer({ thinking: 'On and', stop: 'length' }))),
    ends: { cause: 'fault', exit: 2, says: /10 answers in a row were cut off/ },
  },
  { kind: 'an empty answer, which is a stop', replies: (wire) => [stream(wire.answer({}))], retries: 0, more: true, attempts: 3 },
  {
    kind: 'a proxy that hangs up',
    proxy: (socket) => socket.destroy(),
    timeout: 6,
    ends: { cause: 'fault', exit: 2, some: true, says: /past the time that is left/ },
  },
  {
    kind: 'a proxy that hangs',
    proxy: () => undefined,
    timeout: 2,
    ends: { cause: 'timeout', exit: 1, says: /not finished within its 2 s/ },
  },
];

const LONE_CALL = { calls: [TURNS[0].calls[0]] };

const refused = (wire, code, headers) => status(code, wire.error('some_kind', 'In the words of the server.'), headers);
const half = (wire, then) => stream(wire.answer({ thinking: 'Hm.', text: 'Half of it' }).slice(0, 3), then);
const times = (count, reply) => Array.from({ length: count }, () => reply);

/** A date is made when it is sent. */
const later = (wire, ms) => (response) => refused(wire, 429, { 'retry-after': new Date(Date.now() + ms).toUTCString() })(response);

/** The replies of a run in which a trouble comes before turn `at`. */
export function repliesOf(wire, { replies, instead }, at) {
  const good = TURNS.map((said) => instead?.(wire, said) ?? stream(wire.answer(said)));
  return [...good.slice(0, at), ...(replies?.(wire) ?? []), ...good.slice(at)];
}
