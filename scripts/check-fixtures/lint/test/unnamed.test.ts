import { describe, expect, it } from 'vitest';

it('has no rule in its name', () => expect(1).toBe(1)); // fails: flow/rule-in-name
it('[K-7 K-13] has two', () => expect(1).toBe(1));
it.each([1])('counts %i', (n) => expect(n).toBe(1)); // fails: flow/rule-in-name
describe('[R-1] a group', () => {
  it('is named by its group', () => expect(1).toBe(1));
});
