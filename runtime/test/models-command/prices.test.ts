import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyRungs } from '../../src/models/discovery.js';
import { costOf, listed } from '../../src/models/prices.js';

const usage = (input: number, output: number, read: number | null = null, written: number | null = null) => ({
  ...{ input, output, cache_read: read, cache_write: written },
});

describe('the dated table', () => {
  it('[M-2 M-3] every model that the environment can give has a price and a day', () => {
    for (const { intelligence } of keyRungs({})) {
      const row = listed(intelligence.provider, intelligence.model);
      expect(row?.price.input, intelligence.model).toBeGreaterThan(0);
      expect(row?.price.output).toBeGreaterThan(row?.price.input ?? 0);
      expect(row?.price.cacheRead).toBeLessThan(row?.price.input ?? 0);
      expect(row?.date).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(row?.context).toBeGreaterThan(100_000);
    }
  });

  it.each([
    ['anthropic', 'claude-haiku-4-5-20251001', 1],
    ['openai', 'gpt-4o-2024-11-20', 2.5],
    ['openai', 'gpt-4o-2024-05-13', 5],
    ['google', 'gemini-2.5-pro', 1.25],
    ['openai', 'gpt-5-ultra', undefined],
    ['google', 'gpt-5', undefined],
    ['ollama', 'gpt-5', undefined],
    ['openai', 'constructor', undefined],
    ['constructor', 'gpt-5', undefined],
    ['__proto__', 'toString', undefined],
  ])('[M-3] %s/%s costs %s', (provider, model, input) => {
    expect(listed(provider, model)?.price.input).toBe(input);
  });
});

describe('what a turn costs', () => {
  const anthropic = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 };
  const openai = { input: 2, output: 10, cacheRead: 0.1 };
  // `input` holds the cached parts. Anthropic reports them apart and the library adds them up; OpenAI and Google report them inside.
  it.each([
    ['nothing cached', usage(1_000_000, 100_000), anthropic, 2 + 1],
    ['Anthropic: 100k plain, 800k read, 100k written', usage(1_000_000, 0, 800_000, 100_000), anthropic, 0.2 + 0.08 + 0.25],
    ['OpenAI: 200k plain, 800k read', usage(1_000_000, 0, 800_000), openai, 0.4 + 0.08],
    ['OpenAI: written without a price of its own', usage(1_000_000, 0, 0, 500_000), openai, 2],
    ['Google: all of it read', usage(1_000_000, 0, 1_000_000), openai, 0.1],
    ['a server that counts more cached than it was given', usage(10, 0, 1_000_000), openai, 0.1],
    ['nothing at all', usage(0, 0), openai, 0],
  ])('[M-3] %s', (_name, used, price, usd) => {
    expect(costOf(used, price)).toBeCloseTo(usd, 9);
  });

  it('[M-3] a long prompt is charged as a whole, cached parts counted in, the threshold itself not', () => {
    const price = { ...openai, longPrompt: { tokens: 272_000, input: 4, output: 15, cacheRead: 0.2 } };
    expect(costOf(usage(272_000, 1_000_000), price)).toBeCloseTo(0.544 + 10, 9);
    expect(costOf(usage(272_001, 1_000_000), price)).toBeCloseTo(1.088004 + 15, 9);
    expect(costOf(usage(300_000, 0, 299_000), price)).toBeCloseTo(0.004 + 0.0598, 9);
  });

  it('[M-3] is never less with more tokens, and never counts a cached token twice', () => {
    const count = fc.integer({ min: 0, max: 5_000_000 });
    fc.assert(
      fc.property(count, count, count, count, (plain, read, written, output) => {
        const cost = costOf(usage(plain + read + written, output, read, written), anthropic) ?? NaN;
        const apart = (plain * 2 + read * 0.1 + written * 2.5 + output * 10) / 1e6;
        expect(cost).toBeCloseTo(apart, 6);
        expect(costOf(usage(plain + read + written + 1, output, read, written), anthropic)).toBeGreaterThan(cost);
      }),
    );
  });
});
