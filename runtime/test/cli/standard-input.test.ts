import { expect, it } from 'vitest';
import { standardInput } from '../../src/cli/standard-input.js';
import { createManualClock } from '../../src/testing/manual-clock.js';
import { chunks, fakeIo } from './io.js';

it('[O-3] all bytes, whatever the chunks, and the timer is gone', async () => {
  const clock = createManualClock();
  const bytes = await standardInput(fakeIo({ stdin: () => chunks('a', Uint8Array.from([0, 255]), '', 'b') }), clock).read(100, () => {});
  expect([...bytes]).toEqual([97, 0, 255, 98]);
  expect(clock.waiting()).toBe(0);
});

it('[O-3] reading stops one byte past the limit', async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield await Promise.resolve(Buffer.alloc((given += 10) > 0 ? 10 : 0, 'x'));
  }
  const bytes = await standardInput(fakeIo({ stdin: endless }), createManualClock()).read(25, () => {});
  expect(bytes.length).toBe(26);
  expect(given).toBe(30);
});

it('[O-3] a second of silence is spoken of once; bytes in time are not', async () => {
  const clock = createManualClock();
  const said: string[] = [];
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  async function* late(): AsyncGenerator<Uint8Array> {
    await arrived;
    yield Buffer.from('late');
  }
  const reading = standardInput(fakeIo({ stdin: late }), clock).read(100, () => said.push('silent'));
  await clock.advance(999);
  expect(said).toEqual([]);
  await clock.advance(1);
  expect(said).toEqual(['silent']);
  arrive();
  expect(Buffer.from(await reading).toString()).toBe('late');
  await clock.advance(5000);
  expect(said).toEqual(['silent']);
});
