/** What the model is sent and what the session file says are the same, whoever says what, and when. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSessionLine } from '@gated-flow/record';
import type { SessionEntry } from '@gated-flow/record';
import { createRedactor } from '@gated-flow/text';
import { openConversation, type Conversation } from '../../src/agent/conversation.js';
import { requestsOf } from '../../src/agent/rebuild.js';
import type { Message } from '../../src/ports/model.js';

const SECRET = 'a-secret-of-many-bytes';
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(SECRET), fc.constant('\ud800 alone'), fc.constant(''));
const json = fc.jsonValue();

type Step = (conversation: Conversation) => void;
const user = fc.tuple(text, fc.constantFrom('start', 'send-back', 'go-on', 'question')).map(
  ([said, why]): Step =>
    (conversation) =>
      conversation.user(said, why),
);
const results = fc.array(fc.record({ id: text, tool: text, output: text }), { maxLength: 3 }).map(
  (given): Step =>
    (conversation) =>
      conversation.results(given),
);
const answer = fc
  .record({ text, input: json, native: fc.option(json, { nil: undefined }), stop: fc.constantFrom('end', 'calls', 'length', 'other') })
  .map(
    ({ text: said, input, native, stop }): Step =>
      (conversation) =>
        conversation.assistant({
          turn: 'answer',
          text: said,
          calls: [{ id: 'call_1', tool: 'read', input }],
          stop,
          native,
          usage: { input: null, output: null, cache_read: null, cache_write: null },
          costUsd: null,
          provider: 'p',
          model: 'm',
        }),
  );

it('[L-2 S-2] what is asked is what the file says, at every moment, and no secret is in either', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(user, results, answer), { maxLength: 20 }), (steps) => {
      const lines: Uint8Array[] = [];
      const log = {
        append: (entry: SessionEntry) => void lines.push(Buffer.from(JSON.stringify({ ts: '2026-11-30T12:00:00.000Z', ...entry }))),
        digest: () => ({ sha256: '', lines: lines.length }),
        close: () => undefined,
      };
      const settings = { provider: 'p', model: 'm', max_output_tokens: 7 };
      const conversation = openConversation({ system: 'S', tools: [], settings, log, redactor: createRedactor([SECRET]) });
      for (const step of steps) {
        const before: readonly Message[] = [...conversation.messages];
        step(conversation);
        expect(conversation.messages.slice(0, before.length)).toEqual(before);
        const entries = lines.map((line) => parseSessionLine(line)).filter((entry) => entry !== null);
        const now = [...requestsOf(entries)].at(-1);
        expect(JSON.stringify(now)).toBe(JSON.stringify({ system: 'S', tools: [], settings, messages: conversation.messages }));
      }
      expect(lines.map(String).join('')).not.toContain(SECRET);
    }),
    { numRuns: 200 },
  );
});
