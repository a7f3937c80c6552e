import { describe, expect, it } from 'vitest';
import { openEnvironments } from '../../src/permit/environment.js';

const CONFIG = { scrub: ['*_API_KEY', '*_TOKEN', 'AWS_*'], gateEnv: [] as string[], agentEnv: [] as string[] };
const ENV = {
  PATH: '/bin',
  HOME: '/h',
  MY_API_KEY: 'k',
  GH_TOKEN: 't',
  AWS_REGION: 'r',
  FLOW_HOME: '/f',
  FLOW_RUN_ID: 'outer',
  _: '/usr/bin/x',
  TMPDIR: '/tmp',
  PWD: '/caller',
  OUTPUT: '/caller/out',
  UNSET: undefined,
};
const SLOTS = { PWD: '/tree', TMP: '/nest/tmp', OUTPUT: '/nest/out' };
const make = (config: Partial<typeof CONFIG> = {}) => openEnvironments({ env: ENV, config: { ...CONFIG, ...config }, run: 'a-run' })(SLOTS);

const PYTHON = { PYTHONUTF8: '1', PYTHONIOENCODING: 'utf-8' };

describe('environments', () => {
  it("[S-1 S-2] a hook has all of the caller's, the slots over them, and the run's name", () => {
    expect(make().hook).toEqual({
      ...PYTHON,
      PATH: '/bin',
      HOME: '/h',
      MY_API_KEY: 'k',
      GH_TOKEN: 't',
      AWS_REGION: 'r',
      FLOW_HOME: '/f',
      FLOW_RUN_ID: 'a-run',
      _: '/usr/bin/x',
      TMPDIR: '/nest/tmp',
      PWD: '/tree',
      TMP: '/nest/tmp',
      OUTPUT: '/nest/out',
    });
  });

  it("[S-1 S-2] a gate has no secret and nothing of the runtime's but the run's name", () => {
    expect(make().gate).toEqual({ ...PYTHON, PATH: '/bin', HOME: '/h', FLOW_RUN_ID: 'a-run', TMPDIR: '/nest/tmp', ...SLOTS });
  });

  it('[S-1 S-2 P-2] the agent has not even that', () => {
    expect(make().agent).toEqual({ PATH: '/bin', HOME: '/h', TMPDIR: '/nest/tmp', ...SLOTS });
  });

  it("[S-2] names are let back in for the one or the other, but never the runtime's own", () => {
    const { gate, agent, hook } = make({ gateEnv: ['GH_TOKEN', 'FLOW_*'], agentEnv: ['AWS_*'] });
    expect([gate['GH_TOKEN'], gate['AWS_REGION'], gate['FLOW_HOME']]).toEqual(['t', undefined, undefined]);
    expect([agent['GH_TOKEN'], agent['AWS_REGION'], agent['FLOW_RUN_ID']]).toEqual([undefined, 'r', undefined]);
    expect(hook['MY_API_KEY']).toBe('k');
  });

  it("[G-4 S-1] a stage without an $OUTPUT does not have the caller's", () => {
    const { hook, gate, agent } = openEnvironments({ env: ENV, config: CONFIG, run: 'a-run' })({ PWD: '/tree', TMP: '/nest/tmp' });
    for (const environment of [hook, gate, agent]) expect(environment).not.toHaveProperty('OUTPUT');
  });
});
