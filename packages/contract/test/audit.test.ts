import { createHash, createHmac } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_PREV, auditLine, hashOfLine } from '../src/audit/entry.js';
import { createAuditVerifier } from '../src/audit/verify.js';
import { openAuditFile } from '../src/edges/audit-file.js';
import { prepare } from '../src/evaluate/prepare.js';
import type { ContractReport } from '../src/report/report.js';
import { openSession } from '../src/session/session.js';
import { contract } from './loading.js';
import { IDENTITY } from './running.js';
import { scratchFolder } from './scratch.js';

const KEY = 'k'.repeat(32);

async function report(output: string | null, clauses = 'must_not: [contain "bad"]\nmust: [be kind]\n'): Promise<ContractReport> {
  const session = openSession(await prepare(await contract(clauses)), { identity: IDENTITY, elapsed: () => 3.6 });
  await session.input('secret input');
  return session.output(output);
}

async function lines(count: number, key: string | undefined = KEY): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n++) {
    const last = made.at(-1);
    made.push(auditLine(await report(`out ${n}`), { prev: last === undefined ? FIRST_PREV : hashOfLine(last), ...(key ? { key } : {}) }));
  }
  return made;
}

function verify(all: readonly string[], key: string | null = KEY): string[] {
  const verifier = createAuditVerifier(key ?? undefined);
  all.forEach((line, index) => verifier.feed(line, { line: index + 1, whole: true }));
  return verifier.verdict().faults.map(({ line, is }) => `${line} ${is}`);
}

describe('[C-10] an entry', () => {
  it('has the fields of the specification in their order, hashes and never a text', async () => {
    const line = auditLine(await report('bad secret output'), { prev: FIRST_PREV, key: KEY });
    const entry: unknown = JSON.parse(line);
    expect(Object.keys(entry as object)).toEqual(
      'run_id agent contract contract_version spec_version timestamp input_hash output_hash duration_ms cost_usd violations outcome unevaluated prev signature'.split(
        ' ',
      ),
    );
    expect(entry).toMatchObject({
      run_id: IDENTITY.runId,
      agent: 'bot',
      contract: 'main.contract.yaml',
      contract_version: '1.0.0',
      spec_version: '0.1.0',
      input_hash: createHash('sha256').update('secret input').digest('hex'),
      duration_ms: 4,
      cost_usd: null,
      outcome: 'violation',
      unevaluated: ['must[0]'],
      violations: [
        {
          clause_type: 'must_not',
          clause_name: 'must_not[0]',
          clause_text: 'contain "bad"',
          severity: 'block',
          action_taken: 'block',
          judge: 'deterministic',
          details: 'the output contains it',
        },
      ],
    });
    expect(line).not.toContain('secret');
  });

  it('is signed over its RFC 8785 form', async () => {
    const { signature, ...entry } = JSON.parse(auditLine(await report('ok', 'limits: {max_steps: 1}\n'), { key: KEY })) as Record<
      string,
      unknown
    >;
    const sorted = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sorted)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([k, v]) => [k, sorted(v)]),
            )
          : value;
    expect(signature).toBe(
      createHmac('sha256', KEY)
        .update(JSON.stringify(sorted(entry)))
        .digest('hex'),
    );
  });

  it('a run that ended without an output has the hash of nothing', async () => {
    expect(JSON.parse(auditLine(await report(null)))).toMatchObject({ output_hash: FIRST_PREV });
  });
});

describe('[C-10] verifying', () => {
  it('names every altered, unsigned, missing, reordered and malformed entry', async () => {
    const all = await lines(5);
    const [a = '', b = '', c = '', d = '', e = ''] = all;
    expect(verify(all)).toEqual([]);
    expect(verify(all, 'another key'.repeat(3))).toHaveLength(5);
    expect(verify([a, b.replace('"pass"', '"Pass"'), c])).toEqual(['2 altered']);
    expect(verify([a, b, d, e])).toEqual(['3 missing']);
    expect(verify([b, c])).toEqual(['1 missing']);
    expect(verify([a, c, b, d])).toEqual(['2 reordered', '3 reordered', '4 reordered']);
    expect(verify([a, b, b, c])).toEqual(['3 reordered']);
    expect(verify([a, 'rubbish', b])).toContainEqual('2 malformed');
    expect(verify([a, JSON.stringify({ ...JSON.parse(b), signature: undefined }), c])).toContainEqual('2 unsigned');
  });

  it('without the key the chain still tells', async () => {
    const all = await lines(4);
    expect(verify(all, null)).toEqual([]);
    expect(
      verify(
        all.map((line, n) => (n === 1 ? line.replace('bot', 'bat') : line)),
        null,
      ),
    ).toEqual(['2 altered']);
    expect(verify([...all.slice(0, 2), ...all.slice(3)], null)).toEqual(['2 altered']);
  });

  it('any one character changed in any line is found', async () => {
    const all = await lines(3);
    fc.assert(
      fc.property(fc.nat(2), fc.nat(), fc.nat(), (which, at, to) => {
        const line = all[which] ?? '';
        const spot = at % line.length;
        const other = String.fromCharCode(33 + (to % 90));
        if (line[spot] === other) return;
        const changed = line.slice(0, spot) + other + line.slice(spot + 1);
        expect(verify(all.map((each, n) => (n === which ? changed : each))).length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('[C-10] the file', () => {
  it('is chained over several writers, and never torn', async () => {
    const path = join(scratchFolder(), 'deep/audit.jsonl');
    const [first, second] = [openAuditFile(path, KEY), openAuditFile(path, KEY)];
    const one = await report('ok');
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? first : second).append(n % 5 ? [one] : [one, one])));
    const text = readFileSync(path, 'utf8');
    const all = text.trimEnd().split('\n');
    expect([all.length, text.endsWith('\n'), verify(all)]).toEqual([24, true, []]);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('continues behind a line that was cut off, and leaves it for the verifier', async () => {
    const path = join(scratchFolder(), 'audit.jsonl');
    const file = openAuditFile(path, KEY);
    await file.append([await report('a')]);
    writeFileSync(path, readFileSync(path, 'utf8') + '{"run_id": "cut', 'utf8');
    await file.append([await report('b')]);
    const all = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect([all.length, verify(all)]).toEqual([3, ['2 malformed']]);
  });

  it('takes over the lock of a process that is gone', async () => {
    const path = join(scratchFolder(), 'audit.jsonl');
    writeFileSync(`${path}.lock`, '999999999');
    await openAuditFile(path, undefined).append([await report('a')]);
    expect(readFileSync(path, 'utf8')).toContain('run_id');
  });

  it.runIf(process.platform === 'linux')('says so where a folder takes no other, which is only seen in /proc', async () => {
    const audit = openAuditFile('/proc/none/of/these/audit.jsonl', KEY);
    await expect(audit.append([await report('a')])).rejects.toThrow('cannot be written: it is not there.');
  });

  it('makes the folders above it', async () => {
    const path = join(scratchFolder(), 'a/b/audit.jsonl');
    await Promise.all([1, 2].map(async () => openAuditFile(path, KEY).append([await report('a')])));
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2);
  });

  it('says why it cannot be written', async () => {
    const at = scratchFolder();
    writeFileSync(join(at, 'file'), '');
    await expect(openAuditFile(join(at, 'file/audit.jsonl'), KEY).append([await report('a')])).rejects.toThrow(
      /^The audit .* cannot be written: /,
    );
    chmodSync(at, 0o700);
    await expect(openAuditFile(at, KEY).append([await report('a')])).rejects.toThrow('it is a folder');
  });
});
