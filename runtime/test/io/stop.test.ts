import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/io/clock.js';
import { createIds } from '../../src/io/ids.js';
import { listenForSignals } from '../../src/io/stop.js';
import { createManualClock } from '../../src/testing/index.js';

function listening() {
  const clock = createManualClock();
  const emitter = new EventEmitter();
  const ended: number[] = [];
  const stop = listenForSignals({ atOnce: (exit) => void ended.push(exit), elapsed: () => clock.elapsed(), emitter });
  return { clock, emitter, ended, stop };
}

describe('signals', () => {
  it.each([
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const)('[E-2 Q-21] %s stops with its number', (name, signal) => {
    const { emitter, stop } = listening();
    expect(stop.reason()).toBeNull();
    emitter.emit(name);
    expect(stop.reason()).toEqual({ stop: 'signal', signal, name });
    expect(stop.signal.aborted).toBe(true);
    expect(stop.signal.reason).toEqual(stop.reason());
  });

  it('[E-2] the first wins', () => {
    const { emitter, stop, ended } = listening();
    emitter.emit('SIGTERM');
    emitter.emit('SIGINT');
    emitter.emit('SIGHUP');
    expect(stop.reason()).toMatchObject({ name: 'SIGTERM' });
    expect(ended).toEqual([]);
  });

  it('[E-2] a second SIGINT ends at once, but not the echo of the first', async () => {
    const { emitter, clock, ended } = listening();
    emitter.emit('SIGINT');
    await clock.advance(10);
    emitter.emit('SIGINT');
    expect(ended).toEqual([]);
    await clock.advance(90);
    emitter.emit('SIGINT');
    expect(ended).toEqual([130]);
  });

  it('[E-2] gives the signals back', () => {
    const { emitter, stop } = listening();
    stop.dispose();
    expect(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => emitter.listenerCount(name))).toEqual([0, 0, 0]);
  });
});

describe.each([
  ['the real clock', createClock],
  ['the manual clock', createManualClock],
])('%s', (_, create) => {
  it('[L-5] a sleep ends at once when its signal aborts, before or after', async () => {
    const clock = create();
    const abort = new AbortController();
    const sleeping = clock.sleep(3_000_000_000, abort.signal);
    abort.abort();
    await sleeping;
    await clock.sleep(3_000_000_000, abort.signal);
    expect(abort.signal.aborted).toBe(true);
  });

  it('[O-4] what is due after more than 2^31 milliseconds is not due at once, and can be cancelled', async () => {
    const clock = create();
    let called = 0;
    const cancel = clock.after(2_147_483_000_000, () => called++);
    await new Promise((resolve) => setImmediate(resolve));
    cancel();
    expect(called).toBe(0);
  });
});

describe('the real clock', () => {
  it('[L-5] calls back', async () => {
    const clock = createClock();
    const began = clock.elapsed();
    await new Promise<void>((resolve) => clock.after(5, resolve));
    await clock.sleep(5);
    expect(clock.elapsed()).toBeGreaterThan(began);
    const before = Date.now();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
  });
});

describe('the manual clock', () => {
  it('[L-5] lets things fall due in order', async () => {
    const clock = createManualClock(1000);
    const order: string[] = [];
    clock.after(20, () => order.push('b'));
    clock.after(10, () => {
      order.push('a');
      clock.after(5, () => order.push('a2'));
    });
    void clock.sleep(30).then(() => order.push(`slept ${clock.now()}`));
    await clock.advance(40);
    expect(order).toEqual(['a', 'a2', 'b', 'slept 1030']);
    expect(clock.waiting()).toBe(0);
  });
});

describe('ids', () => {
  it('[O-6 S-6] gives as many digits as asked, never the same', () => {
    const ids = createIds();
    expect(ids.hex(7)).toMatch(/^[0-9a-f]{7}$/);
    expect(new Set(Array.from({ length: 100 }, () => ids.hex(16))).size).toBe(100);
    expect(ids.fraction()).toBeLessThan(1);
  });
});
