import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prices-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const TABLE = {
  date: '2026-01-01',
  models: {
    anthropic: { 'claude-a': { input: 1, output: 2, context: 5 } },
    google: { 'gemini-b': { input: 1, output: 2, until: '2026-12-31' } },
    openai: { 'gpt-c': { input: 1, output: 2 }, 'gpt-d': { input: 7, output: 8, date: '2025-01-01' } },
  },
};
const row = (provider: string, input: unknown, output: unknown, more: object = {}) => ({
  ...{ litellm_provider: provider, input_cost_per_token: input, output_cost_per_token: output },
  ...more,
});

function refresh(list: unknown, words: readonly string[] = ['--date', '2026-11-30']) {
  const [file, table] = [join(root, 'list.json'), join(root, 'table.json')];
  writeFileSync(file, typeof list === 'string' ? list : JSON.stringify(list));
  writeFileSync(table, JSON.stringify(TABLE));
  const script = new URL('../../../scripts/refresh-prices.mjs', import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, file, '--table', table, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr, table: JSON.parse(readFileSync(table, 'utf8')) };
}

describe('refreshing the table of prices', () => {
  it('[M-3] takes the models it knows, per million tokens, with the day given', () => {
    const { status, table } = refresh({
      'claude-a': row('anthropic', 2e-6, 1e-5, { cache_read_input_token_cost: 1e-7, cache_creation_input_token_cost: 2.5e-6 }),
      'gemini/gemini-b': row('gemini', 7.5e-7, 3.75e-6, { max_input_tokens: 1048576 }),
      'gpt-c': row('openai', 2e-6, 1e-5, { input_cost_per_token_above_272k_tokens: 4e-6, output_cost_per_token_above_272k_tokens: 1.5e-5 }),
      'gpt-unknown': row('openai', 1, 1),
      'azure/gpt-c': row('azure', 9e-6, 9e-6),
      sample_spec: { litellm_provider: 'one of' },
      odd: null,
    });
    expect(status).toBe(0);
    expect(table).toEqual({
      date: '2026-11-30',
      models: {
        anthropic: { 'claude-a': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5, context: 5 } },
        google: { 'gemini-b': { input: 0.75, output: 3.75, context: 1048576 } },
        openai: {
          'gpt-c': { input: 2, output: 10, longPrompt: { tokens: 272000, input: 4, output: 15 } },
          'gpt-d': { input: 7, output: 8, date: '2025-01-01' },
        },
      },
    });
  });

  it.each([
    ['text', 'free', 1e-6],
    ['a negative number', -1e-6, 1e-6],
    ['dollars for a million', 3, 15],
    ['nothing', null, 1e-6],
    ['a list', [1e-6], 1e-6],
  ])('[M-3] %s is no price: the row and its day stay', (_name, input, output) => {
    const { status, table, stdout } = refresh({ 'gpt-c': row('openai', input, output) });
    expect(status).toBe(0);
    expect(table.models.openai['gpt-c']).toEqual({ input: 1, output: 2, date: '2026-01-01' });
    expect(stdout).toContain('openai/gpt-c');
  });

  it('[M-3] half a threshold, or two of them, is none', () => {
    const half = refresh({ 'gpt-c': row('openai', 2e-6, 1e-5, { input_cost_per_token_above_272k_tokens: 4e-6 }) });
    expect(half.table.models.openai['gpt-c'].input).toBe(1);
    const tier = (size: string) => ({
      [`input_cost_per_token_above_${size}k_tokens`]: 4e-6,
      [`output_cost_per_token_above_${size}k_tokens`]: 1e-5,
    });
    const two = refresh({ 'gpt-c': row('openai', 2e-6, 1e-5, { ...tier('128'), ...tier('272') }) });
    expect(two.table.models.openai['gpt-c'].input).toBe(1);
  });

  it('[M-3] --add takes one more, when the file has it', () => {
    const list = { 'gpt-9': row('openai', 1e-6, 2e-6) };
    expect(refresh(list, ['--date', '2026-11-30', '--add', 'openai/gpt-9']).table.models.openai['gpt-9']).toEqual({ input: 1, output: 2 });
    expect(refresh({}, ['--date', '2026-11-30', '--add', 'openai/gpt-9'])).toMatchObject({ status: 2, table: TABLE });
  });

  it.each([
    ['no JSON', '{', ['--date', '2026-11-30']],
    ['a list', '[]', ['--date', '2026-11-30']],
    ['no day', '{}', []],
    ['a day that is none', '{}', ['--date', '2026-02-31']],
    ['an option that is none', '{}', ['--date', '2026-11-30', '--force']],
    ['a provider that is none', '{}', ['--date', '2026-11-30', '--add', 'acme/x']],
  ])('[M-3] %s is refused in a sentence, and nothing is written', (_name, list, words) => {
    const { status, stderr, table } = refresh(list, words);
    expect(status).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(table).toEqual(TABLE);
  });

  it('[M-3] --dry-run writes nothing', () => {
    const { status, table, stdout } = refresh({ 'gpt-c': row('openai', 2e-6, 1e-5) }, ['--date', '2026-11-30', '--dry-run']);
    expect({ status, table }).toEqual({ status: 0, table: TABLE });
    expect(stdout).toContain('is  input 2, output 10');
  });
});
