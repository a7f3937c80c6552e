import { describe, expect, it } from 'vitest';
import { controlTools, type Occasions } from '../../../src/agent/control/index.js';
import type { ControlEffect } from '../../../src/agent/control/control.js';

function act(tool: string, input: unknown, items = 3): ControlEffect {
  const found = controlTools({ items }).find(({ spec }) => spec.name === tool);
  if (!found) throw new Error(`no tool ${tool}`);
  return found.act(input);
}

describe('control tools', () => {
  it('[L-8] mark is there only where there is something to mark', () => {
    expect(controlTools({ items: 0 }).map(({ spec }) => spec.name)).toEqual(['refuse', 'fault', 'clean-temp']);
    expect(controlTools({ items: 1 }).map(({ spec }) => spec.name)).toEqual(['mark', 'refuse', 'fault', 'clean-temp']);
  });

  it('[L-8] a good mark is recorded with its evidence', () => {
    expect(act('mark', { item: 2, state: 'done', evidence: 'tests are green' })).toEqual({
      output: 'Item 2 is done.',
      recorded: { decision: 'done', item: 2, evidence: 'tests are green' },
      mark: { item: 2, mark: { state: 'done', evidence: 'tests are green' } },
    });
  });

  it('[L-8] a skip carries its reason', () => {
    expect(act('mark', { item: 1, state: 'skipped', evidence: 'no tables', reason: 'there are none' }).recorded).toEqual({
      decision: 'skipped',
      item: 1,
      evidence: 'no tables',
      reason: 'there are none',
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['a number past the list', { item: 4, state: 'done', evidence: 'x' }, /no item 4/],
    ['item 0', { item: 0, state: 'done', evidence: 'x' }, /item/],
    ['half an item', { item: 1.5, state: 'done', evidence: 'x' }, /item/],
    ['a number in a string', { item: '1', state: 'done', evidence: 'x' }, /item/],
    ['no evidence', { item: 1, state: 'done' }, /evidence/],
    ['[L-12] white space for evidence', { item: 1, state: 'done', evidence: ' \n\t' }, /evidence/],
    ['a skip without a reason', { item: 1, state: 'skipped', evidence: 'x' }, /reason/],
    ['[L-12] a skip with white space for a reason', { item: 1, state: 'skipped', evidence: 'x', reason: '  ' }, /reason/],
    ['another state', { item: 1, state: 'todo', evidence: 'x' }, /state/],
    ['no object', 'done', /object/],
    ['null', null, /object/],
  ])('[L-8] leaves the item as it was: %s', (_name, input, says) => {
    const effect = act('mark', input);
    expect(effect).toMatchObject({ error: true, output: expect.stringMatching(says) });
    expect(effect.mark).toBeUndefined();
    expect(effect.recorded).toBeUndefined();
  });

  it('[L-9] refuse and fault end the work with their words', () => {
    expect(act('refuse', { reason: 'the file is empty' }).leave).toEqual({ cause: 'refused', reason: 'the file is empty' });
    expect(act('fault', { reason: 'git is missing' }).leave).toEqual({ cause: 'fault', reason: 'git is missing' });
  });

  it('[L-9 L-12] an empty reason ends nothing', () => {
    expect(act('refuse', { reason: ' ' })).toMatchObject({ error: true });
    expect(act('fault', {}).leave).toBeUndefined();
  });

  it('[L-10] clean-temp asks for an empty $TMP', () => {
    expect(act('clean-temp', {})).toMatchObject({ cleanTemp: true, recorded: { decision: 'clean' } });
  });

  it('[L-10] continue and select are there only where there is an occasion', () => {
    const names = (occasions: Occasions): string[] => controlTools(occasions).map(({ spec }) => spec.name);
    expect(names({ items: 1, isAsked: () => false })).toEqual(['mark', 'continue', 'refuse', 'fault', 'clean-temp']);
    expect(names({ items: 0, select: ['fix', 'stop'] })).toEqual(['select', 'refuse', 'fault', 'clean-temp']);
  });

  it('[P-2] no word of ours tells of the machinery', () => {
    const words = JSON.stringify(controlTools({ items: 2, isAsked: () => true, select: ['fix'] }).map(({ spec }) => spec));
    expect(words).not.toMatch(/\b(assembly|flow|stage|gate|retr(y|ies)|timeout|hook|schema check|contract|loop|repeats?)\b/i);
  });
});
