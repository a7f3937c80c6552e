import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  GRANT_SENTENCE,
  authorizationOf,
  callKey,
  checkAuthorization,
  eventHash,
  grant,
  permissionsText,
  readAuthorizations,
  requestOf,
} from '../src/index.js';
import type { AuthorizationRequest } from '../src/index.js';
import { bash, contractOf } from './contract.js';

const CALL = { assembly: 'a'.repeat(64), stage: '01-plan', tool: 'bash', arguments: { command: 'git push' }, nth: 1 };
const NOW = Date.parse('2026-03-21T12:00:00Z');
const PUSH = {
  id: 'push',
  program: 'git',
  args: '^push\\b',
  decision: 'require_approval',
  target: 'remote repository',
  scope: 'one push',
  risks: 'publishes commits',
  recovery: 'revert',
};

async function request(change: Partial<AuthorizationRequest> = {}): Promise<AuthorizationRequest> {
  const contract = await contractOf({ pre_tool: { rules: [PUSH] } });
  const made = requestOf({ ...CALL, ...change }, await bash(contract, 'git push'));
  return { ...made, ...change, event_hash: eventHash({ ...made, ...change }) };
}

const granted = async () => grant(await request(), { id: 'A1', expires: '2026-03-21T12:15:00Z', by: 'maria', via: 'terminal' });

describe('[V-5] authorization', () => {
  it('the event hash is the SHA-256 of the call in its canonical form', () => {
    const canonical = `{"arguments":{"a":1,"b":[2]},"assembly":"h","nth":1,"stage":"s","tool":"t"}`;
    expect(eventHash({ assembly: 'h', stage: 's', tool: 't', arguments: { b: [2], a: 1 }, nth: 1 })).toBe(hash('sha256', canonical));
  });

  it('is another for whatever is another, and the same whatever the order of keys', () => {
    const base = eventHash(CALL);
    for (const change of [{ assembly: 'b' }, { stage: '02' }, { tool: 'write' }, { arguments: { command: 'git push ' } }, { nth: 2 }])
      expect(eventHash({ ...CALL, ...change })).not.toBe(base);
    expect(callKey(CALL)).toBe(callKey({ ...CALL }));
    expect(eventHash({ ...CALL, arguments: { a: '\ud800' } })).not.toBe(eventHash({ ...CALL, arguments: { a: '\ud801' } }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const reversed = Object.fromEntries(Object.entries(given).reverse());
        expect(eventHash({ ...CALL, arguments: reversed })).toBe(eventHash({ ...CALL, arguments: given }));
      }),
    );
  });

  it('discloses target, scope, risks and recovery of every rule that asks', async () => {
    expect(await request()).toMatchObject({
      target: 'remote repository',
      scope: 'one push',
      risks: 'publishes commits',
      recovery: 'revert',
      rules: ['push'],
    });
    const contract = await contractOf({ pre_tool: { packs: ['network'], rules: [PUSH] } });
    const made = requestOf(CALL, await bash(contract, 'git push'));
    expect(made.risks).toContain('publishes commits');
    expect(made.risks).toContain('sends data out');
    expect(made.rules).toEqual(['network/git-remote', 'push']);
  });

  it('holds for the very call', async () => {
    expect(checkAuthorization(await granted(), await request(), { nowMs: NOW, used: false })).toEqual({ ok: true });
    expect(JSON.stringify(await granted())).not.toContain('git push');
  });

  it.each([
    ['foreign', { assembly: 'b' }],
    ['wrong-scope', { stage: '02-run' }],
    ['wrong-scope', { tool: 'write' }],
    ['wrong-scope', { target: 'another' }],
    ['wrong-scope', { scope: 'all pushes' }],
    ['altered', { arguments: { command: 'git push --force' } }],
    ['altered', { risks: 'none at all' }],
    ['altered', { recovery: 'none at all' }],
    ['reused', { nth: 2 }],
  ] as const)('is refused as %s for %j', async (refusal, change) => {
    expect(checkAuthorization(await granted(), await request(change), { nowMs: NOW, used: false })).toMatchObject({ ok: false, refusal });
  });

  it('is refused when it is used, expired, or altered itself', async () => {
    const [given, asked] = [await granted(), await request()];
    expect(checkAuthorization(given, asked, { nowMs: NOW, used: true })).toMatchObject({ refusal: 'reused' });
    expect(checkAuthorization(given, asked, { nowMs: NOW + 900_000, used: false })).toMatchObject({ refusal: 'expired' });
    expect(checkAuthorization({ ...given, expires: 'soon' }, asked, { nowMs: NOW, used: false })).toMatchObject({ refusal: 'expired' });
    expect(checkAuthorization({ ...given, event_hash: '0'.repeat(64) }, asked, { nowMs: NOW, used: false })).toMatchObject({
      refusal: 'altered',
    });
  });

  const ENTRY = {
    id: 'A1',
    stage: '01-plan',
    tool: 'bash',
    arguments: { command: 'git push' },
    risks: 'publishes commits',
    recovery: 'revert',
    expires: '2026-03-21T12:15:00Z',
    by: 'maria',
  };

  it('a file issues it beforehand', async () => {
    const read = readAuthorizations(Buffer.from(JSON.stringify([ENTRY, { ...ENTRY, id: 'A2', assembly: 'b' }])));
    expect(read.ok).toBe(true);
    if (!read.ok) return;
    const asked = await request();
    const checks = read.issued.map((issued) => checkAuthorization(authorizationOf(issued, asked), asked, { nowMs: NOW, used: false }));
    expect(checks).toMatchObject([{ ok: true }, { ok: false, refusal: 'foreign' }]);
    const another = await request({ arguments: { command: 'git push x' } });
    expect(
      read.issued.map((issued) => checkAuthorization(authorizationOf(issued, another), another, { nowMs: NOW, used: false }).ok),
    ).toEqual([false, false]);
  });

  it.each([
    ['{}', 'has to be a list'],
    ['[1]', '[0] has to be an object.'],
    [JSON.stringify([{ ...ENTRY, by: ' ' }]), '[0] has no "by"'],
    [JSON.stringify([{ ...ENTRY, arguments: undefined }]), '[0] has no "arguments"'],
    [JSON.stringify([{ ...ENTRY, expires: '2026-03-21 12:00' }]), '[0].expires is no time'],
    [JSON.stringify([{ ...ENTRY, expires: '2026-03-21T12:00:00' }]), '[0].expires is no time'],
    [JSON.stringify([{ ...ENTRY, uses: 3 }]), '[0] does not take "uses"'],
    [JSON.stringify([{ ...ENTRY, nth: 0 }]), '[0].nth has to be'],
    [JSON.stringify([ENTRY, ENTRY]), '[1] has the id "A1", which stands there twice.'],
    [JSON.stringify([{ ...ENTRY, id: '../x' }]), '[0].id consists of'],
    ['[', 'is not JSON'],
  ])('a file is refused: %s', (text, expected) => {
    const read = readAuthorizations(Buffer.from(text));
    expect(read.ok ? '' : read.faults.join('\n')).toContain(expected);
  });

  it('whoever grants reads that nobody certifies it', () => {
    expect(GRANT_SENTENCE).toBe('You accept this risk for this one call. Nobody certifies it as safe.');
  });

  it('the agent reads what needs leave, and nothing of who gives it', async () => {
    const contract = await contractOf({ pre_tool: { packs: ['install', 'credentials'], rules: [PUSH] } });
    const text = permissionsText(contract) ?? '';
    expect(text).toContain('Leave is for one call only');
    expect(text).toContain(
      '- program git, args ^push\\b. Target: remote repository. For: one push. Risk: publishes commits. Recovery: revert.',
    );
    expect(text).toContain('npm install');
    expect(text).toContain('.env files');
    expect(text).not.toMatch(/flow|gate|approve|record/);
    expect(permissionsText(await contractOf({ pre_tool: {} }))).toBeNull();
  });
});
