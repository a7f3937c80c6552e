import { expect, it } from 'vitest';
import type { Intelligence } from '../../src/plan/plan.js';
import { openReuse, type ReuseScope } from '../../src/run/reuse/open-reuse.js';

const scope = { source: 'provider' } as ReuseScope;
const ROW: Intelligence = { provider: 'anthropic', model: 'm' };

it.each<[string, Partial<Intelligence>, string | undefined]>([
  ['nothing', {}, undefined],
  ['the environment', { sentTo: 'http://a' }, 'http://a'],
  ['the row', { baseUrl: 'http://b' }, 'http://b'],
])('[G-12] the model of a stage is another one where %s leads it to another server', (_who, more, address) => {
  const identity = openReuse(scope).modelOf({ ...ROW, ...more }, null);
  expect(identity).toEqual({ source: 'provider', ...ROW, ...(address === undefined ? {} : { baseUrl: address }) });
});
