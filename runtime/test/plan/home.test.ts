import { expect, it } from 'vitest';
import { homePath } from '../../src/plan/home.js';

it.each([
  ['the flag first', '/x/flag', { FLOW_HOME: '/x/var', XDG_DATA_HOME: '/x/data', HOME: '/u' }, '/x/flag'],
  ['a flag relative to here', 'h', {}, '/here/h'],
  ['then FLOW_HOME', undefined, { FLOW_HOME: '/x/var', XDG_DATA_HOME: '/x/data', HOME: '/u' }, '/x/var'],
  ['then XDG_DATA_HOME', undefined, { XDG_DATA_HOME: '/x/data', HOME: '/u' }, '/x/data/flow'],
  ['a relative XDG_DATA_HOME is ignored', undefined, { XDG_DATA_HOME: 'data', HOME: '/u' }, '/u/.local/share/flow'],
  ['an empty FLOW_HOME is unset', undefined, { FLOW_HOME: '', HOME: '/u' }, '/u/.local/share/flow'],
  ['an empty flag is not the default', '', { FLOW_HOME: '/x/var', HOME: '/u' }, null],
  ['nothing says where', undefined, {}, null],
])('[O-6] the home: %s', (_, flag, env, expected) => {
  expect(homePath({ env, cwd: '/here' }, flag)).toBe(expected);
});
