import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readItems } from '../../src/walk/items.js';

const fan = { items: 'jobs', maxItems: 3 };
const read = (value: unknown): ReturnType<typeof readItems> => readItems(JSON.stringify(value), fan);
const item = (id: unknown, input: unknown = {}): object => ({ id, input });

describe('the list of a fan-out', () => {
  it.each<[string, unknown, RegExp]>([
    ['a list at the top', [item('a')], /"jobs" is no list/],
    ['null', null, /"jobs" is no list/],
    ['another name', { items: [item('a')] }, /"jobs" is no list/],
    ['an object in its place', { jobs: { a: 1 } }, /"jobs" is no list/],
    ['nothing in it', { jobs: [] }, /"jobs" is empty/],
    ['too many', { jobs: ['a', 'b', 'c', 'd'].map((id) => item(id)) }, /has 4 items, more than max-items, which is 3/],
    ['a string', { jobs: ['a'] }, /\/jobs\/0 must be an object with "id" and "input"/],
    ['no input', { jobs: [item('a'), { id: 'b' }] }, /\/jobs\/1 must be an object with "id" and "input"/],
    ['a number for an id', { jobs: [item(1)] }, /\/jobs\/0\/id must begin with/],
    ['an empty id', { jobs: [item('')] }, /\/jobs\/0\/id must begin with/],
    ['capitals', { jobs: [item('Ab')] }, /\/jobs\/0\/id must begin with/],
    ['an id that begins with a line', { jobs: [item('-a')] }, /\/jobs\/0\/id must begin with/],
    ['a way out', { jobs: [item('../a')] }, /\/jobs\/0\/id must begin with/],
    ['a line break after it', { jobs: [item('a\n')] }, /\/jobs\/0\/id must begin with/],
    ['129 letters', { jobs: [item('a'.repeat(129))] }, /\/jobs\/0\/id must begin with/],
    ['the same twice', { jobs: [item('a'), item('b'), item('a')] }, /\/jobs\/2\/id: "a" stands there twice/],
    ['a list for an input', { jobs: [item('a', [])] }, /\/jobs\/0\/input must be an object/],
    ['null for an input', { jobs: [item('a', null)] }, /\/jobs\/0\/input must be an object/],
  ])('[G-6] is refused for %s', (_name, value, says) => {
    expect(read(value)).toEqual({ ok: false, reason: expect.stringMatching(says) });
  });

  it('[G-6] is taken at its bounds', () => {
    const ids = ['a'.repeat(128), '0', 'z_-9'];
    expect(read({ jobs: ids.map((id) => item(id)) })).toMatchObject({ ok: true, items: [{ id: '0' }, { id: ids[0] }, { id: 'z_-9' }] });
  });

  it('[G-6] is refused without a throw when it is no strict JSON', () => {
    for (const text of ['', '{"jobs":[{"id":"a","input":{}},]}', '{"jobs":[] // none\n}', '\ufeff{"jobs":[]}', "{'jobs':[]}"]) {
      expect(readItems(text, fan).ok).toBe(false);
    }
  });

  it('[G-6] an input arrives as it was written: every digit, every repeated key', () => {
    const text = '{"jobs":[{"input" : { "n": 12345678901234567890.10, "n": 1e400 },"id":"a"}]}';
    expect(readItems(text, fan)).toEqual({
      ok: true,
      items: [{ n: 1, id: 'a', request: '{"id":"a","input":{ "n": 12345678901234567890.10, "n": 1e400 }}' }],
    });
  });

  it('[G-6] of a repeated key the last one counts, as everywhere', () => {
    expect(readItems('{"jobs":[],"jobs":[{"id":"x","id":"a","input":1,"input":{}}]}', fan)).toMatchObject({
      ok: true,
      items: [{ id: 'a' }],
    });
  });

  it('[G-6] any list of good items comes back sorted, numbered and whole', () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,9}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(ids, fc.dictionary(fc.string(), fc.jsonValue()), (names, input) => {
        const found = readItems(JSON.stringify({ jobs: names.map((id) => ({ id, input })) }), { items: 'jobs', maxItems: 1_000 });
        if (!found.ok) throw new Error(found.reason);
        expect(found.items.map(({ id }) => id)).toEqual([...names].sort());
        expect(found.items.map(({ n }) => n)).toEqual(names.map((_, index) => index + 1));
        for (const { id, request } of found.items) expect(JSON.parse(request)).toEqual(JSON.parse(JSON.stringify({ id, input })));
      }),
    );
  });

  it('[G-6] anything at all is items or a sentence, never a throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((jobs) => JSON.stringify({ jobs })),
        ),
        (text) => {
          const found = readItems(text, fan);
          expect(found.ok ? found.items.length : found.reason.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});
