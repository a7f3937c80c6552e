import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routePrompt } from '../src/index.js';
import { affirmed } from '../src/route/affirmed.js';
import { contractOf } from './contract.js';

const ROUTES = [
  {
    id: 'release',
    match: '(?i)deploy|release',
    task_type: 'runtime_action',
    risk_level: 'R5',
    required_gates: ['final_claim', 'pre_tool'],
    human_confirmation_need: 'required',
  },
  {
    id: 'docs',
    match: '(?i)documentation',
    task_type: 'writing',
    risk_level: 'R1',
    required_gates: ['final_claim', 'memory_gate'],
    memory_need: 'optional',
  },
  { id: 'notes', match: '(?i)notes', risk_level: 'R2', memory_need: 'required' },
];
const STAGES = { prompt_stage: { routes: ROUTES }, pre_tool: {}, final_claim: {} };
const prompt = (body: string, inputs: readonly string[] = [], readOnly = false) =>
  ({ stage: 'prompt_stage', body, inputs, readOnly }) as const;

describe('[V-6] receipts', () => {
  it('has the eight fields, and without a route says that nothing is known', async () => {
    expect(routePrompt(await contractOf(STAGES, { lane: 'project' }), prompt('Hello.'))).toEqual({
      profile: 'compact_runtime',
      lowConfidence: true,
      receipt: {
        task_type: 'unknown',
        project_lane: 'project',
        risk_level: 'R0',
        required_gates: [],
        external_search_need: 'none',
        memory_need: 'none',
        claim_gate_need: 'none',
        human_confirmation_need: 'none',
      },
    });
  });

  it('takes the highest risk, the union of the gates and the strongest needs', async () => {
    const contract = await contractOf(STAGES);
    const routed = routePrompt(contract, prompt('Write documentation and notes, then deploy.'));
    expect(routed?.receipt).toMatchObject({
      task_type: 'runtime_action',
      project_lane: 'unknown',
      risk_level: 'R5',
      required_gates: ['pre_tool', 'final_claim', 'memory_gate'],
      memory_need: 'required',
      human_confirmation_need: 'required',
    });
    expect(routed?.lowConfidence).toBe(true);
    expect(routePrompt(contract, prompt('Write documentation and notes.'))).toMatchObject({
      lowConfidence: false,
      receipt: { risk_level: 'R2', task_type: 'writing' },
    });
  });

  it('a stage that can only read and that nothing fits gets none', async () => {
    const contract = await contractOf(STAGES);
    expect(routePrompt(contract, prompt('Look.', [], true))).toBeNull();
    expect(routePrompt(contract, prompt('Look at the release.', [], true))).not.toBeNull();
  });

  it('looks at the first 64 KiB of each input', async () => {
    const contract = await contractOf(STAGES);
    const far = `${'a '.repeat(32 * 1024)}release`;
    expect(routePrompt(contract, prompt('', [far]))?.receipt.risk_level).toBe('R0');
    expect(routePrompt(contract, prompt('', ['x', 'release it']))?.receipt.risk_level).toBe('R5');
  });

  it('expands for what the cost profile names, and all the way when it is asked', async () => {
    const contract = await contractOf(STAGES, { cost_profile: { expand_only_for: ['R5', 'low_confidence_route'] } });
    expect(routePrompt(contract, prompt('Write notes.'))?.profile).toBe('compact_runtime');
    expect(routePrompt(contract, prompt('deploy'))).toMatchObject({
      profile: 'extended_governance',
      from: { contract: 'test', routes: ['release'] },
    });
    expect(routePrompt(contract, prompt('Hello.'))?.profile).toBe('extended_governance');
    expect(routePrompt(contract, prompt('never deploy notes'), true)).toMatchObject({
      profile: 'debug_receipt',
      routes: [
        { id: 'release', fits: 'only negated' },
        { id: 'docs', fits: false },
        { id: 'notes', fits: 'only negated' },
      ],
    });
    const always = await contractOf(STAGES, { cost_profile: { default_profile: 'extended_governance' } });
    expect(routePrompt(always, prompt('Write notes.'))?.profile).toBe('extended_governance');
  });

  it.each([
    ['Do not deploy.', false],
    ["Don't release anything.", false],
    ['Build it without deploying.', false],
    ['Never deploy; release the docs.', true],
    ['Do not test but deploy.', true],
    ["Don't stop, deploy.", true],
    ['Do not forget to deploy.', true],
    ['Not only build: deploy.', true],
    ['You must not touch the release.', false],
    ['Deploy. Do not test.', true],
    ['There is no doubt: deploy.', true],
  ])('%s: fits %s', async (text, fits) => {
    expect(routePrompt(await contractOf(STAGES), prompt(text))?.receipt.risk_level).toBe(fits ? 'R5' : 'R0');
  });

  it('what is negated is taken out in time, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(affirmed(text).length).toBeLessThanOrEqual(text.length);
      }),
    );
    expect(affirmed('do not '.repeat(20_000)).length).toBeLessThan(20_000);
  });
});

it('[V-8] asks for sources where the contract says so', async () => {
  const contract = await contractOf({ external_research: { match: '(?i)latest|price' } });
  expect(routePrompt(contract, prompt('Find the latest version.', [], true))?.receipt).toMatchObject({
    external_search_need: 'required',
    required_gates: ['external_research'],
  });
  expect(routePrompt(contract, prompt('Do not look up the price.', [], true))).toBeNull();
  expect(routePrompt(await contractOf({ external_research: {} }), prompt('x'))?.receipt.external_search_need).toBe('required');
});
