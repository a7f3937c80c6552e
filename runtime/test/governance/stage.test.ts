import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { calls, clear, go, type Line, type Ran, stage, stops, type Tree, wrote } from '../run/ground.js';

afterAll(clear);

const contract = (stages: object, more: object = {}): Tree => ({
  'governance.contract.json': JSON.stringify({
    ...{ schema_version: '0.1', contract_type: 'governance', contract_name: 'g', stages },
    ...more,
  }),
});

const FIELDS = [
  ...['task_type', 'project_lane', 'risk_level', 'required_gates', 'external_search_need', 'memory_need', 'claim_gate_need'],
  'human_confirmation_need',
];
const RELEASE = {
  id: 'release',
  match: '(?i)deploy|release',
  task_type: 'runtime_action',
  risk_level: 'R5',
  human_confirmation_need: 'required',
};
const DONE: readonly Line[] = [wrote('01-a', 'x'), stops('01-a')];
const events = (ran: Ran, name: string) => ran.told('governance').filter(({ stage_name }) => stage_name === name);
const receipt = (ran: Ran): unknown => events(ran, 'prompt_stage')[0]?.receipt;
const checks = (ran: Ran) => ran.told('check').map(({ check, exit }) => `${check} ${exit}`);

describe('[V-6] before the agent starts', () => {
  it('a receipt has the eight fields, by routes alone, and stands before the first turn', async () => {
    const ran = await go({ '01-a.md': stage('Deploy it.') }, DONE, { root: contract({ prompt_stage: { routes: [RELEASE] } }) });
    expect(ran.cause()).toBe('success');
    expect(receipt(ran)).toEqual({
      ...{ profile: 'compact_runtime', task_type: 'runtime_action', project_lane: 'unknown', risk_level: 'R5', required_gates: [] },
      ...{ external_search_need: 'none', memory_need: 'none', claim_gate_need: 'none', human_confirmation_need: 'required' },
    });
    const order = ran.facts.map(({ event }) => event);
    expect(order.indexOf('governance')).toBeGreaterThan(order.indexOf('stage_start'));
    expect(order.indexOf('governance')).toBeLessThan(order.indexOf('prompt'));
  });

  it('the first 64 KiB of each input count as the body does, and what is negated does not', async () => {
    const root = contract({ prompt_stage: { routes: [RELEASE] } });
    const given = await go({ '01-a.md': stage() }, DONE, { root, request: 'Please release it.' });
    expect(receipt(given)).toMatchObject({ risk_level: 'R5' });
    const late = await go({ '01-a.md': stage() }, DONE, { root, request: `${'x'.repeat(65 * 1024)} release` });
    expect(receipt(late)).toMatchObject({ risk_level: 'R0', low_confidence_route: true });
    const negated = await go({ '01-a.md': stage('Do not deploy it.') }, DONE, { root });
    expect(receipt(negated)).toMatchObject({ risk_level: 'R0' });
  });

  it('profiles: what expands says where it comes from, and -v what every route said', async () => {
    const root = contract({ prompt_stage: { routes: [RELEASE] } }, { cost_profile: { expand_only_for: ['R5'] } });
    const expanded = await go({ '01-a.md': stage('Deploy it.') }, DONE, { root });
    expect(receipt(expanded)).toMatchObject({ profile: 'extended_governance', from: { routes: ['release'] } });
    const debug = await go({ '01-a.md': stage('Do not deploy it.') }, DONE, { root, debugReceipts: true });
    expect(receipt(debug)).toMatchObject({ profile: 'debug_receipt', routes: [{ id: 'release', fits: 'only negated' }] });
    expect(FIELDS.every((name) => Object.hasOwn(Object(receipt(debug)), name))).toBe(true);
  });

  it('a stage that can only read and fits no route gets none', async () => {
    const root = contract({ prompt_stage: { routes: [RELEASE] } });
    const readOnly = 'access:\n  read: [INPUT, PWD]\n  write: [OUTPUT]\n';
    const ran = await go({ '01-a.md': stage('Look at it.', readOnly) }, DONE, { root });
    expect(ran.cause()).toBe('success');
    expect(events(ran, 'prompt_stage')).toEqual([]);
    const fits = await go({ '01-a.md': stage('Release it.', readOnly) }, DONE, { root });
    expect(events(fits, 'prompt_stage')).toHaveLength(1);
  });
});

describe('[V-8] where sources are needed', () => {
  const root = contract({ external_research: { match: '(?i)latest' } });
  const asked = { '01-a.md': stage('What is the latest version?', 'retries: 1\n') };
  const cite = (source: string): Line => calls('01-a', 'cite', { claim: 'It is 3.', source, retrieved: '2026-01-31' });

  it('the agent has `cite`, and its entries are sources.jsonl of the attempt, vouched for by the record', async () => {
    const ran = await go(asked, [cite('https://example.org/a'), cite('notes.md'), ...DONE], { root });
    expect(ran.cause()).toBe('success');
    expect(ran.told('stage_start')[0]?.tools).toContain('cite');
    const text = ran.read('stages/01-a/1/1/sources.jsonl');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      { number: 1, claim: 'It is 3.', source: 'https://example.org/a', retrieved: '2026-01-31' },
      { number: 2, claim: 'It is 3.', source: 'notes.md', retrieved: '2026-01-31' },
    ]);
    const sources = events(ran, 'external_research')[0]?.sources;
    expect(sources).toEqual({
      path: 'stages/01-a/1/1/sources.jsonl',
      sha256: createHash('sha256').update(text).digest('hex'),
      bytes: Buffer.byteLength(text),
    });
    expect(ran.read('manifest.sha256')).toContain(`${sources?.sha256}  stages/01-a/1/1/sources.jsonl`);
  });

  it('finishing without is told to the held agent like a failing check, and spends a retry', async () => {
    const lines = [...DONE, { ...cite('https://example.org'), expect: '`cite` tool' }, stops('01-a')];
    const ran = await go(asked, lines, { root });
    expect(ran.cause()).toBe('success');
    expect(checks(ran)).toEqual(['output 0', 'claim 1', 'output 0', 'claim 0']);
    expect(ran.has('stages/01-a/1/1/sources.jsonl')).toBe(false);
    expect(ran.has('stages/01-a/1/2/sources.jsonl')).toBe(true);
    const never = await go(asked, [...DONE, stops('01-a')], { root });
    expect([never.cause(), never.outcome.ending.failed]).toEqual(['exhausted', 'claim']);
  });

  it('a source that is none is an error result, and no entry', async () => {
    const lines = [cite('javascript:alert(1)'), calls('01-a', 'cite', { claim: '' }), ...DONE, stops('01-a')];
    const ran = await go(asked, lines, { root });
    expect(ran.cause()).toBe('exhausted');
    expect(JSON.stringify(ran.requests)).toContain('Nothing was noted.');
  });

  it('[V-6] a gate that the receipt requires is enforced', async () => {
    const routes = [{ id: 'facts', match: 'price', required_gates: ['external_research'] }];
    const gated = contract({ prompt_stage: { routes }, external_research: { match: 'never-there' } });
    const ran = await go({ '01-a.md': stage('The price?', 'retries: 0\n') }, DONE, { root: gated });
    expect([ran.cause(), ran.outcome.ending.failed]).toEqual(['exhausted', 'claim']);
  });

  it('where none are needed there is no such tool and no such check', async () => {
    const ran = await go({ '01-a.md': stage('Write.') }, DONE, { root });
    expect(ran.told('stage_start')[0]?.tools).not.toContain('cite');
    expect(checks(ran)).toEqual(['output 0']);
  });
});

describe('[V-9] strong claims of the output', () => {
  const claims = (decision: 'downgrade' | 'block') => contract({ final_claim: { terms: ['verified'], decision } });
  const write = (content: string, more: Line = {}): readonly Line[] => [wrote('01-a', content, more), stops('01-a')];
  const told = '/claims? more than/';

  it('the held agent is asked to bound or support them', async () => {
    const ran = await go(
      { '01-a.md': stage('Write.', 'retries: 1\n') },
      [...write('It is verified.'), ...write('It was not verified.', { expect: told })],
      { root: claims('downgrade') },
    );
    expect(ran.cause()).toBe('success');
    expect(checks(ran)).toEqual(['output 0', 'claim 1', 'output 0', 'claim 0']);
    expect(events(ran, 'final_claim').map(({ decision }) => decision)).toEqual(['downgrade', 'allow']);
    expect(events(ran, 'final_claim')[0]?.claims).toMatchObject({ found: 1, unsupported: 1, sentences: [{ terms: ['verified'] }] });
  });

  it('a block rule ends the stage as rejected, with retries left', async () => {
    const ran = await go({ '01-a.md': stage('Write.', 'retries: 5\n') }, write('It is verified.'), { root: claims('block') });
    expect([ran.cause(), ran.outcome.ending.exit, ran.outcome.ending.failed]).toEqual(['rejected', 1, 'claim']);
    expect(ran.told('stage_end')[0]?.sealed).toBe(false);
  });

  it.each<[string, string, readonly Line[], 'success' | 'rejected']>([
    ['a file of $PWD', 'It is verified in `there.txt`.', [], 'success'],
    ['a file of $INPUT', 'It is verified in [the request]($INPUT/request.txt).', [], 'success'],
    ['no file', 'It is verified in `absent.txt`.', [], 'rejected'],
    ['a link that leads out', 'It is verified in `out.txt`.', [], 'rejected'],
    ['a path that climbs out', 'It is verified in `../a/ASSEMBLY.md`.', [], 'rejected'],
    [
      'a command that exited 0',
      'It is verified by `test -f there.txt`.',
      [calls('01-a', 'bash', { command: 'test -f there.txt' })],
      'success',
    ],
    ['a command that did not', 'It is verified by `test -f absent`.', [calls('01-a', 'bash', { command: 'test -f absent' })], 'rejected'],
    ['a command that nobody ran', 'It is verified by `test -f there.txt`.', [], 'rejected'],
    ['a number without a source', 'It is verified [1].', [], 'rejected'],
    ['a quotation', 'They said "verified".', [], 'success'],
    ['code', 'Run `verified`.', [], 'success'],
  ])('%s', async (_, output, before, cause) => {
    const work = { 'there.txt': 'x', 'out.txt': { link: '/etc/passwd' } };
    const ran = await go({ '01-a.md': stage() }, [...before, ...write(output)], { root: claims('block'), work });
    expect(ran.cause()).toBe(cause);
  });

  it('[V-8] a number of a source supports the sentence', async () => {
    const both = contract({ external_research: {}, final_claim: { terms: ['verified'], decision: 'block' } });
    const cite = calls('01-a', 'cite', { claim: 'c', source: 'https://example.org', retrieved: '2026-01-31' });
    expect((await go({ '01-a.md': stage() }, [cite, ...write('It is verified [1].')], { root: both })).cause()).toBe('success');
    expect((await go({ '01-a.md': stage() }, [cite, ...write('It is verified [2].')], { root: both })).cause()).toBe('rejected');
  });

  it('texts of a JSON output are read, whatever their depth', async () => {
    const entries = { '01-a/STAGE.md': stage(), '01-a/schema.json': '{"type":"object"}' };
    const json = JSON.stringify({ a: [{ verified: true, b: 'It is verified.' }] });
    const ran = await go(entries, write(json), { root: claims('block') });
    expect(ran.cause()).toBe('rejected');
    expect(events(ran, 'final_claim')[0]?.claims).toMatchObject({ sentences: [{ where: { pointer: '/a/0/b' } }] });
    const keys = await go(entries, write(JSON.stringify({ verified: true })), { root: claims('block') });
    expect(keys.cause()).toBe('success');
  });

  it('[V-11] bytes that are no UTF-8, and a lone surrogate, are read and recorded whole', async () => {
    const bytes = calls('01-a', 'bash', { command: String.raw`printf 'It is verified \377\376.' > "$OUTPUT"` });
    const ran = await go({ '01-a.md': stage() }, [bytes, stops('01-a')], { root: claims('block') });
    expect(ran.cause()).toBe('rejected');
    expect(JSON.stringify(ran.facts)).not.toMatch(/\\ud[89a-f]/);
  });
});
