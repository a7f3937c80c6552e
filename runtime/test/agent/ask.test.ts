import { describe, expect, it } from 'vitest';
import { ask, RETRIES } from '../../src/agent/ask.js';
import type { Answer, FailedTurn, ModelRequest, Turn } from '../../src/ports/model.js';

const WHO = { provider: 'p', model: 'm' };
const ANSWER: Answer = {
  turn: 'answer',
  text: 'hi',
  calls: [],
  stop: 'end',
  usage: { input: 1, output: 1, cache_read: null, cache_write: null },
  costUsd: null,
  ...WHO,
};
const trouble = (more: Partial<FailedTurn> = {}): FailedTurn => ({
  turn: 'failed',
  failure: 'transient',
  status: 529,
  message: 'overloaded',
  ...WHO,
  ...more,
});
const START = Date.UTC(2026, 10, 30, 12, 0, 0);

/** Asks of a model that gives these turns; waiting takes no time and is written down. */
function asking(turns: readonly Turn[], { remaining = 3_600_000, fraction = 0 } = {}) {
  const queue = [...turns];
  const slept: number[] = [];
  const retried: { attempt: number; status?: number; delay_ms: number }[] = [];
  const controller = new AbortController();
  const request: ModelRequest = { system: '', messages: [], tools: [], signal: controller.signal };
  const run = () =>
    ask(
      {
        session: { next: async () => queue.shift() ?? trouble() },
        clock: { now: () => START, elapsed: () => 0, sleep: async (ms) => void slept.push(ms), after: () => () => {} },
        ids: { hex: () => '', fraction: () => fraction },
        remainingMs: () => remaining,
        retrying: (retry) => retried.push(retry),
      },
      request,
    );
  return { run, slept, retried, left: queue, controller };
}

describe('[L-4] trouble with a provider', () => {
  it('[L-4] passing trouble is tried again, twice as late each time, at most 60 s', async () => {
    const it = asking([...Array.from({ length: 8 }, () => trouble()), ANSWER]);
    expect(await it.run()).toBe(ANSWER);
    expect(it.slept).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(it.retried[0]).toEqual({ attempt: 1, status: 529, delay_ms: 1_000 });
  });

  it('[L-4] at most eight times; what stays is told with provider, model, status and message', async () => {
    const it = asking([]);
    expect(await it.run()).toEqual({
      turn: 'given-up',
      reason: expect.stringMatching(/^p\/m: the call failed \(529\): overloaded\. \(tried 9 times\)$/),
    });
    expect(it.slept).toHaveLength(RETRIES);
  });

  it('[L-4] jitter takes off at most half', async () => {
    const it = asking([trouble(), ANSWER], { fraction: 0.999 });
    await it.run();
    expect(it.slept[0]).toBeGreaterThanOrEqual(500);
    expect(it.slept[0]).toBeLessThan(510);
  });

  it('[L-4] Retry-After is honoured, also past 60 s', async () => {
    const it = asking([trouble({ retryAfterMs: 90_000 }), ANSWER]);
    await it.run();
    expect(it.slept).toEqual([90_000]);
  });

  it('[L-4] one beyond the clock ends at once and names the time', async () => {
    const it = asking([trouble({ retryAfterMs: 600_000 })], { remaining: 10_000 });
    expect(await it.run()).toEqual({ turn: 'given-up', reason: expect.stringContaining('2026-11-30T12:10:00.000Z') });
    expect(it.slept).toEqual([]);
  });

  it.each<FailedTurn['failure']>(['permanent', 'context', 'script'])('[L-4] %s trouble is not tried again', async (failure) => {
    const it = asking([trouble({ failure, status: 401 }), ANSWER]);
    expect(await it.run()).toMatchObject({ turn: 'given-up' });
    expect(it.left).toEqual([ANSWER]);
  });

  it('[L-4] a wait beyond all dates ends it as well, in seconds', async () => {
    const it = asking([trouble({ retryAfterMs: 1e23 })], { remaining: 10_000 });
    expect(await it.run()).toEqual({
      turn: 'given-up',
      reason: expect.stringMatching(/p\/m: .*\(529\).*could be made in 99999999999999\d+ s,/),
    });
    expect(it.slept).toEqual([]);
  });

  it('[L-4] the words of a provider are cut to 2,048 bytes', async () => {
    const asked = await asking([trouble({ failure: 'permanent', message: 'é'.repeat(5_000) })]).run();
    if (asked.turn !== 'given-up') throw new Error('expected to give up');
    expect(Buffer.byteLength(asked.reason)).toBeLessThanOrEqual(2_048);
    expect(asked.reason).not.toContain('\ufffd');
  });

  it('[L-5] an aborted call is neither tried again nor a failure', async () => {
    const it = asking([trouble({ failure: 'aborted' })]);
    expect(await it.run()).toEqual({ turn: 'aborted' });
    const late = asking([trouble()]);
    late.controller.abort();
    expect(await late.run()).toEqual({ turn: 'aborted' });
    expect(late.slept).toEqual([]);
  });
});
