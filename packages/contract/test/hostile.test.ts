/** What is huge, what never returns, and a disk that takes nothing: through the built command, and through the library. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enforce } from '../src/edges/held.js';
import { loadContract } from '../src/edges/load-contract.js';
import { pluginWorkers } from '../src/edges/plugins.js';
import { ContractAuditError } from '../src/session/errors.js';
import { HEAD } from './loading.js';

const root = mkdtempSync(join(tmpdir(), 'contract-hostile-'));
const BIN = join(import.meta.dirname, '../bin/agentcontract.mjs');
const small = join(root, 'small');
const isMounted = (() => {
  mkdirSync(small);
  return process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k,nr_inodes=8', 'tmpfs', small]).status === 0;
})();
afterAll(() => {
  if (isMounted) execFileSync('umount', [small]);
  rmSync(root, { recursive: true, force: true });
});

/** The command, with the most memory it held: in KiB. */
function command(words: readonly string[]): Promise<{ code: number; out: string; peak: number }> {
  const peak = join(root, 'peak.cjs');
  writeFileSync(peak, `process.on('exit', () => require('node:fs').writeSync(2, 'PEAK ' + process.resourceUsage().maxRSS + '\\n'));`);
  return new Promise((settle) => {
    const child = execFile(process.execPath, ['--require', peak, BIN, ...words], { cwd: root, maxBuffer: 1 << 26 }, (_, out, err) =>
      settle({ code: child.exitCode ?? -1, out: out + err, peak: Number(/PEAK (\d+)/.exec(err)?.[1]) }),
    );
  });
}

const MIB = 1024 * 1024;

/** A log of one run whose output has this many bytes, written without holding it. */
function logOf(name: string, bytes: number, tail: string): void {
  const file = openSync(join(root, name), 'w');
  writeSync(file, '{"input":"q","tool_calls":[],"output":"');
  for (let left = bytes; left > 0; left -= MIB) writeSync(file, 'a'.repeat(Math.min(left, MIB)));
  writeSync(file, `${tail}"}\n`);
  closeSync(file);
}

describe('[C-5] an output of 100 MB', () => {
  beforeAll(() => {
    logOf('large.jsonl', 100 * MIB, ' secret');
    const clauses = `must_not:\n  - contain "secret"\nensures:\n  - output has at most 3 words\n  - output is valid JSON\nassert:\n  - {name: linear, description: x, type: pattern, must_not_match: "(a+)+$"}\n  - {name: behind, description: x, type: pattern, must_match: "(?<=b)c"}\n`;
    writeFileSync(join(root, 'large.contract.yaml'), HEAD + clauses);
  });

  it('[C-5 C-11] is judged by every kind of clause, in memory that is a small multiple of it', async () => {
    const { code, out, peak } = await command(['validate', 'large.contract.yaml', 'large.jsonl']);
    expect(code).toBe(1);
    for (const said of ['must_not[0]', 'ensures[1]', 'behind']) expect(out).toContain(said);
    expect(out).not.toContain('linear');
    expect(peak).toBeLessThan(12 * 100 * 1024);
  }, 120_000);
});

describe('[C-5] a hostile pattern', () => {
  it('[C-5] that RE2 cannot express ends at its second, as a violation', async () => {
    writeFileSync(
      join(root, 'hostile.contract.yaml'),
      `${HEAD}assert:\n  - {name: bad, description: x, type: pattern, must_not_match: "(?=a)(a+)+$"}\n`,
    );
    writeFileSync(join(root, 'hostile.jsonl'), `${JSON.stringify({ output: `${'a'.repeat(40)}!` })}\n`.repeat(2));
    const { code, out } = await command(['validate', 'hostile.contract.yaml', 'hostile.jsonl']);
    expect(code).toBe(1);
    expect(out.match(/ran out of its second/g)).toHaveLength(2);
  });
});

describe('[C-8] a plugin', () => {
  const call = (plugin: string) => ({
    ...{ plugin, from: join(root, 'c.contract.yaml'), assertion: {} },
    context: { input: 'q', output: 'x', tool_calls: [], duration_ms: 1, cost_usd: null },
  });

  it.each([
    ['promises for ever', 'export const validate = () => new Promise(() => {});'],
    ['spins', 'export const validate = () => { for (;;); };'],
    ['never finishes loading', 'await new Promise(() => setInterval(() => {}, 1000)); export const validate = () => true;'],
  ])('[C-8] that %s ends at its limit, and the next call gets a fresh worker', async (name, text) => {
    const file = `./${name.replaceAll(' ', '-')}.mjs`;
    writeFileSync(join(root, file), text);
    const plugins = pluginWorkers({ env: {}, print: () => {}, timeoutMs: 300 });
    for (const _ of [1, 2])
      expect(await plugins.validate(call(file))).toMatchObject({
        is: 'violated',
        details: expect.stringContaining('did not answer within 0.3 seconds'),
      });
    await plugins.close();
  });
});

describe('[C-10] a place that takes no audit', () => {
  async function withheld(audit: string): Promise<unknown> {
    writeFileSync(join(root, 'c.contract.yaml'), `${HEAD}must: [output is non-empty]\n`);
    const loaded = await loadContract('c.contract.yaml', { cwd: root });
    if (!loaded.ok) throw new Error('refused');
    const agent = await enforce(loaded.contract, async () => 'the output', { audit, env: {} });
    return agent().catch((error: unknown) => error);
  }

  it('[C-10] below a file withholds the output, and says why', async () => {
    writeFileSync(join(root, 'file'), '');
    const error = await withheld(join(root, 'file/audit.jsonl'));
    expect(error).toBeInstanceOf(ContractAuditError);
    expect(String(error)).toMatch(/The audit .*file\/audit\.jsonl cannot be written: .*The output of bot is withheld\./);
    expect(String(error)).not.toContain('the output.');
  });

  it.skipIf(!isMounted)('[C-10] a full disk: the output is withheld, and no half of an entry stays (needs leave to mount)', async () => {
    writeFileSync(join(small, 'audit.jsonl'), '');
    expect(await withheld(join(small, 'audit.jsonl'))).toBe('the output');
    const before = readFileSync(join(small, 'audit.jsonl'), 'utf8');
    spawnSync('sh', ['-c', `head -c 1000000 /dev/zero > ${small}/fill`]);
    const errors: unknown[] = [];
    for (let tries = 0; tries < 20 && errors.length === 0; tries++) {
      const said = await withheld(join(small, 'audit.jsonl'));
      if (said !== 'the output') errors.push(said);
    }
    expect(errors[0]).toBeInstanceOf(ContractAuditError);
    expect(String(errors[0])).toContain('the disk is full');
    const after = readFileSync(join(small, 'audit.jsonl'), 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(after.endsWith('}\n')).toBe(true);
  });

  it.skipIf(!isMounted)('[C-10 C-11] validate --audit judges all runs, says it, and exits 2 (needs leave to mount)', async () => {
    writeFileSync(join(root, 'many.jsonl'), `${JSON.stringify({ output: 'x' })}\n`.repeat(3));
    writeFileSync(join(root, 'c.contract.yaml'), `${HEAD}must: [output is non-empty]\n`);
    execFileSync('mount', ['-o', 'remount,ro', small]);
    const { code, out } = await command(['validate', 'c.contract.yaml', 'many.jsonl', '--audit', join(small, 'other.jsonl')]);
    execFileSync('mount', ['-o', 'remount,rw', small]);
    expect(code).toBe(2);
    expect(out).toContain('3 runs, 3 passed');
    expect(out).toContain('the file system is read-only');
    expect(existsSync(join(small, 'other.jsonl'))).toBe(false);
  });
});
