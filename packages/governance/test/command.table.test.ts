import { loadShellReader } from '@gated-flow/shell';
import type { ShellReader } from '@gated-flow/shell';
import { beforeAll, describe, expect, it } from 'vitest';
import { compiledPack } from '../src/contract/rules.js';
import { preToolHits } from '../src/decide/pre-tool.js';
import { verdictOf } from '../src/events.js';
import type { Verdict } from '../src/events.js';
import { PACKS } from '../src/packs/index.js';
import { DISGUISED, GIVEN, INNOCENT, MISSED, PLAIN, UNREAD } from './command-table.js';

const rules = Object.values(PACKS).flatMap(compiledPack);
let reader: ShellReader;
beforeAll(async () => {
  reader = await loadShellReader();
});

async function judged(text: string): Promise<Verdict> {
  const read = await reader.read(text, { guess: true });
  return verdictOf(preToolHits(rules, { stage: 'pre_tool', tool: 'bash', arguments: { command: text }, command: { text, read } }));
}

describe.each(Object.entries({ INNOCENT, GIVEN, UNREAD, PLAIN, DISGUISED, MISSED }))('commands that are %s', (_, categories) => {
  describe.each(Object.entries(categories))('%s', (__, rows) => {
    it.each(rows)('[V-3] %j: %s', async (text, expected) => {
      const { decision, hits } = await judged(text);
      expect(`${decision} ${decision === expected ? '' : hits.map(({ id }) => id).join(' ')}`.trim()).toBe(expected);
    });
  });
});

it('[V-3] the table has at least 220 commands, each once, half of them innocent', () => {
  const all = [INNOCENT, GIVEN, UNREAD, PLAIN, DISGUISED, MISSED].flatMap((categories) => Object.values(categories).flat());
  const innocent = Object.values(INNOCENT).flat();
  expect(all.length).toBeGreaterThan(220);
  expect(new Set(all.map(([text]) => text)).size).toBe(all.length);
  expect(innocent.length).toBeGreaterThan(110);
});
