import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../src/cli/main.js';
import { enforce } from '../src/edges/held.js';
import { loadContract } from '../src/edges/load-contract.js';
import { ContractHaltError } from '../src/session/errors.js';
import { HEAD } from './loading.js';
import { scratchFolder } from './scratch.js';

const fixtures = join(import.meta.dirname, '../fixtures');
const run = (output: unknown, more: object = {}) =>
  JSON.stringify({ input: 'q', output, tool_calls: [], duration_ms: 5, cost_usd: 0.001, ...more });

function plant(files: Readonly<Record<string, string>>): string {
  const root = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function command(cwd: string, words: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = '') {
  let out = '';
  let err = '';
  const io = {
    out: async (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    stdin: async function* () {
      yield Buffer.from(stdin);
    },
    env: { PATH: process.env['PATH'], ...env },
    cwd,
    program: 'agentcontract',
  };
  return { code: await runCommand(words, io), out, err };
}

const validate = (contract: string, runs: readonly string[], words: readonly string[] = [], env = {}) =>
  command(
    plant({ 'c.contract.yaml': HEAD + contract, 'log.jsonl': `${runs.join('\n')}\n` }),
    ['validate', 'c.contract.yaml', 'log.jsonl', ...words],
    env,
  );

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A server that answers with `[status, body, headers]`, and keeps what it was sent. */
async function server(answer: (body: string, request: IncomingMessage) => readonly [number, string, Record<string, string>?]) {
  const seen: { url: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      seen.push({ url: request.url ?? '', body, headers: request.headers });
      const [status, text, headers] = answer(body, request);
      response.writeHead(status, headers).end(text);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  open.push(() => http.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, seen };
}

describe('[C-11] the command', () => {
  it('says what it can do, and what it did not understand', async () => {
    expect(await command('/', ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('validate [contract] <run-log>') });
    expect(await command('/', [])).toMatchObject({ code: 0 });
    expect(await command('/', ['validate', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--judge-errors fail|warn') });
    expect(await command('/', ['valdate'])).toMatchObject({
      code: 2,
      err: 'There is no command "valdate". Did you mean agentcontract validate?\n',
    });
    expect(await command('/', ['validate', '--formt', 'x', 'a'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean --format?'),
    });
    expect(await command('/', ['validate'])).toMatchObject({
      code: 2,
      err: 'It is used so: agentcontract validate [contract] <run-log>.\n',
    });
    expect(await command('/', ['check', '--format', 'xml', 'a'])).toMatchObject({
      code: 2,
      err: '--format is text, json, github, and not "xml".\n',
    });
  });

  it('0, 1 and 2', async () => {
    const card = 'assert:\n  - {name: no_foo, type: pattern, must_not_match: foo}\n';
    expect((await validate(card, [run('ok')])).code).toBe(0);
    expect(await validate(card, [run('foo')])).toMatchObject({ code: 1, out: expect.stringContaining('log.jsonl:1: block: no_foo') });
    const mixed = await validate(card, [run('foo'), '{', run('foo')]);
    expect([mixed.code, mixed.out.match(/block: no_foo/g)?.length, /log\.jsonl:2: malformed/.test(mixed.out)]).toEqual([2, 2, true]);
    expect(await validate('must: 7\n', [run('x')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('c.contract.yaml:5:7: error: "must" has to be a list.'),
    });
    expect(await command(plant({ 'c.contract.yaml': HEAD }), ['validate', 'c.contract.yaml', 'gone.jsonl'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('it is not there'),
    });
    expect((await command(plant({ 'c.contract.yaml': HEAD + card }), ['validate', 'c.contract.yaml', '-'], {}, run('foo'))).code).toBe(1);
  });

  it('[C-4] facts, and what nobody can evaluate', async () => {
    const clauses = 'requires: [user is authenticated]\n';
    expect(await validate(clauses, [run('x')])).toMatchObject({
      code: 0,
      out: expect.stringContaining('unevaluated in 1 run: requires[0]'),
    });
    expect((await validate(clauses, [run('x')], ['--strict'])).code).toBe(1);
    expect((await validate(clauses, [run('x')], ['--unevaluated', 'fail'])).code).toBe(1);
    expect((await validate(clauses, [run('x')], ['--strict', '--fact', 'user is authenticated=true'])).code).toBe(0);
    expect((await validate(clauses, [run('x')], ['--fact', 'user is authenticated=false'])).code).toBe(1);
    expect(await validate(clauses, [run('x')], ['--fact', 'nonsense'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--fact takes a sentence'),
    });
  });

  it('finds the contract that a project names, and refuses two', async () => {
    const files = { 'log.jsonl': run('x'), 'a.contract.yaml': HEAD };
    const log = ['validate', 'log.jsonl'];
    expect((await command(plant({ ...files, 'package.json': '{"agentcontract": "a.contract.yaml"}' }), log)).code).toBe(0);
    expect((await command(plant({ ...files, 'pyproject.toml': '[tool.agentcontract]\ncontract = "a.contract.yaml"\n' }), log)).code).toBe(
      0,
    );
    expect((await command(plant({ ...files, '.agentcontract/b.contract.yaml': HEAD }), log)).code).toBe(0);
    expect(
      await command(
        plant({ ...files, '.agentcontract/b.contract.yaml': HEAD, 'package.json': '{"agentcontract": "a.contract.yaml"}' }),
        log,
      ),
    ).toMatchObject({
      code: 2,
      err: expect.stringMatching(/"agentcontract" in package.json and by .agentcontract\/b.contract.yaml/),
    });
    expect(await command(plant(files), log)).toMatchObject({ code: 2, err: expect.stringContaining('this project names none') });
    expect((await command(plant({ ...files, 'package.json': '{' }), log)).err).toContain('package.json is not JSON');
    expect((await command(plant({ ...files, 'package.json': '{"agentcontract": 7}' }), log)).err).toContain('is not a path');
  });

  it('[C-10] --audit appends an entry for each run, and verify reads them', async () => {
    const root = plant({
      'c.contract.yaml': `${HEAD}must_not: [contain "foo"]\n`,
      'log.jsonl': `${run('a')}\n${run('foo')}\n`,
      key: `${'k'.repeat(32)}\n`,
    });
    const words = ['validate', 'c.contract.yaml', 'log.jsonl', '--audit', 'audit.jsonl', '--key-file', 'key'];
    expect((await command(root, words)).code).toBe(1);
    expect((await command(root, words)).code).toBe(1);
    const verify = (more: readonly string[] = [], env = {}) => command(root, ['audit', 'verify', 'audit.jsonl', ...more], env);
    expect(await verify(['--key-file', 'key'])).toMatchObject({ code: 0, out: expect.stringContaining('intact: 4 entries, 4 signed') });
    expect(await verify()).toMatchObject({ code: 0, out: expect.stringContaining('4 signatures were not checked') });
    writeFileSync(join(root, 'audit.jsonl'), readFileSync(join(root, 'audit.jsonl'), 'utf8').replace('"violation"', '"pass"'));
    expect(await verify([], { AGENTCONTRACT_AUDIT_KEY: 'k'.repeat(32) })).toMatchObject({
      code: 1,
      out: expect.stringContaining('audit.jsonl:2: altered'),
    });
    expect((await command(root, ['audit', 'verify', 'gone'])).code).toBe(2);
    expect((await command(root, ['audit', 'verfy', 'x'])).code).toBe(2);
    const blocked = await command(root, ['validate', 'c.contract.yaml', 'log.jsonl', '--audit', 'key/audit.jsonl']);
    expect([blocked.code, blocked.out.includes('2 runs')]).toEqual([2, true]);
    expect(blocked.err).toMatch(/^The audit .* cannot be written/);
  });

  it('check warns of what is likely wrong, and offers what is near', async () => {
    const root = plant({ 'c.contract.yaml': `${HEAD}must: [completes in thirty seconds]\n` });
    const said = await command(root, ['check', 'c.contract.yaml']);
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('c.contract.yaml:5:8: warning: Nobody can evaluate must[0]') });
    expect(said.out).toContain('such as "complete within 30 seconds"');
    expect((await command(root, ['check', '--strict', 'c.contract.yaml'])).code).toBe(1);
    expect((await command(root, ['check', '--warnings-fail', 'c.contract.yaml'])).code).toBe(1);
    expect(JSON.parse((await command(root, ['check', '--format', 'json', 'c.contract.yaml', 'gone.contract.yaml'])).out)).toMatchObject({
      contracts: [{ ok: true }, { ok: false }],
    });
    expect((await command(root, ['check', '--format', 'github', 'c.contract.yaml'])).out).toMatch(
      /^::warning file=c.contract.yaml,line=5,col=8::/,
    );
  });

  it('info shows who judges each clause; schema prints the schema', async () => {
    const said = await command(fixtures, ['info', 'regulated/batch-review.contract.yaml']);
    expect(said.out).toMatch(/deviation_form +block +by a plugin/);
    expect(said.out).toMatch(/max_cost_usd +halt_and_alert +live/);
    expect(said.out).toMatch(/requires\[0\] +block +unevaluated/);
    expect(said.out).toContain('regulated/batch-review.contract.yaml');
    const document: unknown = JSON.parse(
      (await command(fixtures, ['info', '--format', 'json', 'regulated/batch-review.contract.yaml'])).out,
    );
    expect(document).toMatchObject({ contract: { agent: 'batch-reviewer', can: ['read batch records'] } });
    expect(JSON.parse((await command('/', ['schema'])).out)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  });
});

describe('[C-11] the examples', () => {
  it.each(['coding-agent', 'support-bot', 'regulated'])('%s: passes what is right, and every clause fails somewhere', async (name) => {
    const root = join(fixtures, name);
    const file = readdirSync(root).find((each) => each.endsWith('.contract.yaml') && each !== 'base.contract.yaml') ?? '';
    const facts = ['--fact', 'user is authenticated=true', '--fact', 'operator is identified=true', '--no-judge'];
    expect(await command(root, ['validate', file, 'pass.jsonl', ...facts])).toMatchObject({ code: 0 });
    const failed = await command(root, ['validate', file, 'fail.jsonl', '--format', 'json', ...facts]);
    const document = JSON.parse(failed.out) as {
      runs: { line: number; violations: { clause_name: string }[] }[];
      counts: { runs: number };
    };
    expect(failed.code).toBe(1);
    expect(document.runs).toHaveLength(document.counts.runs);
    const broken = new Set(document.runs.flatMap(({ violations }) => violations.map(({ clause_name }) => clause_name)));
    const info = JSON.parse((await command(root, ['info', file, '--format', 'json'])).out) as {
      clauses: { name: string; judged: string }[];
    };
    const others = info.clauses.filter(
      ({ name: clause, judged }) => !broken.has(clause) && judged !== 'by a judge' && judged !== 'unevaluated',
    );
    expect(others).toEqual([]);
  });
});

describe('[C-6] judges over loopback', () => {
  const clause = 'must: [{text: be kind, judge: llm}]\n';
  const anthropic = (input: object) => JSON.stringify({ content: [{ type: 'tool_use', name: 'reply', input }] });
  const openai = (text: string) => JSON.stringify({ choices: [{ message: { content: text } }] });

  it('the small model of the provider whose key is there', async () => {
    const { url, seen } = await server(() => [200, anthropic({ verdict: 'FAIL', reason: 'rude' })]);
    const said = await validate(clause, [run('go away'), run('go away')], [], { ANTHROPIC_API_KEY: 'secret-key', ANTHROPIC_BASE_URL: url });
    expect(said).toMatchObject({ code: 1, out: expect.stringContaining('the judge anthropic/claude-haiku-4-5 says FAIL\n    rude') });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ url: '/v1/messages', headers: { 'x-api-key': 'secret-key' } });
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ model: 'claude-haiku-4-5', tool_choice: { name: 'reply' } });
  });

  it('another, by option, environment and config; its answers kept in a directory', async () => {
    const { url, seen } = await server(() => [200, openai('{"verdict": "PASS", "reason": "kind"}')]);
    const root = plant({
      'c.contract.yaml': HEAD + clause,
      'log.jsonl': run('hi'),
      '.agentcontract/config.yaml': `judge: openai-compatible/tiny\njudge-url: ${url}\n`,
    });
    expect((await command(root, ['validate', 'c.contract.yaml', 'log.jsonl', '--strict', '--judge-cache', join(root, 'cache')])).code).toBe(
      0,
    );
    expect((await command(root, ['validate', 'c.contract.yaml', 'log.jsonl', '--strict', '--judge-cache', join(root, 'cache')])).code).toBe(
      0,
    );
    expect(seen).toHaveLength(1);
    expect((await validate(clause, [run('x')], ['--judge', 'big', '--judge-url', url, '--strict'])).code).toBe(0);
    expect(
      (
        await validate(clause, [run('x')], ['--strict'], {
          AGENTCONTRACT_JUDGE: 'openai-compatible/a/b',
          AGENTCONTRACT_JUDGE_URL: `${url}/v1`,
        })
      ).code,
    ).toBe(0);
    expect(seen.map(({ body }) => (JSON.parse(body) as { model: string }).model)).toEqual(['tiny', 'big', 'a/b']);
  });

  it("an assertion's model comes first, and the agent's own model never judges", async () => {
    const { url, seen } = await server(() => [200, openai('{"answer": "NO", "reason": "none"}')]);
    const own = 'assert:\n  - {name: q, type: llm, prompt: Any?, pass_when: "NO", model: special}\n';
    expect((await validate(own, [run('x')], ['--judge', 'big', '--judge-url', url])).code).toBe(0);
    expect(seen[0]?.body).toContain('"special"');
    expect(
      await validate(clause, [run('x')], ['--judge', 'big', '--judge-url', url, '--agent-model', 'openai-compatible/big']),
    ).toMatchObject({
      code: 0,
      out: expect.stringContaining('is the model that did the work'),
    });
    expect(seen).toHaveLength(1);
  });

  it('a judge that answers without end is left alone', async () => {
    const http = createServer((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('a'.repeat(1 << 16)));
      };
      response.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    open.push(() => (http.closeAllConnections(), http.close()));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    expect(await validate(clause, [run('x')], ['--judge', 'x', '--judge-url', url])).toMatchObject({
      code: 1,
      out: expect.stringContaining('could not be asked: it answered more than 1048576 bytes'),
    });
  });

  it('an unreachable judge fails closed, unless a warning is wanted', async () => {
    const words = ['--judge', 'x', '--judge-url', 'http://127.0.0.1:1'];
    const refused = await server(() => [401, 'no']);
    expect(await validate(clause, [run('x')], ['--judge', 'x', '--judge-url', refused.url])).toMatchObject({
      code: 1,
      out: expect.stringContaining('could not be asked: it answered 401'),
    });
    expect(refused.seen).toHaveLength(1);
    expect(await validate(clause, [run('x')], [...words, '--judge-errors', 'warn'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('warn: must[0]'),
    });
    const busy = await server(() => [529, 'busy', { 'retry-after': '0' }]);
    expect((await validate(clause, [run('x')], ['--judge', 'x', '--judge-url', busy.url])).code).toBe(1);
    expect(busy.seen).toHaveLength(3);
    expect(await validate(clause, [run('x')], ['--judge', 'nobody/x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Write provider/model'),
    });
    expect(await validate(clause, [run('x')], ['--no-judge', '--strict'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('--no-judge'),
    });
  });
});

describe('[C-8] plugins', () => {
  const clause = 'assert:\n  - {name: p, type: custom, plugin: ./p.mjs, least: 2}\n';
  const plugin = (source: string, runs = [run('abc')]) =>
    command(plant({ 'c.contract.yaml': HEAD + clause, 'p.mjs': source, 'log.jsonl': runs.join('\n') }), [
      'validate',
      'c.contract.yaml',
      'log.jsonl',
    ]);

  it.each([
    ['export const validate = ({ output }, { least }) => output.length >= least;', 0, '1 passed'],
    ['export default { validate: async () => ({ pass: false, details: "too short" }) };', 1, 'says no\n    too short'],
    ['export const validate = () => { throw new Error("mine"); };', 1, 'the plugin ./p.mjs failed\n    mine'],
    ['export const validate = () => process.exit(3);', 1, 'ended itself (exit 3)'],
    ['export const validate = () => "yes";', 1, 'answered neither true nor false'],
    ['export const other = 1;', 1, 'it exports no function named validate'],
    ['syntax error', 1, 'failed\n    '],
    ['setTimeout(() => { throw new Error("late"); }, 1); export const validate = () => new Promise(() => {});', 1, 'crashed\n    late'],
  ])('%s', async (source, code, said) => {
    expect(await plugin(source)).toMatchObject({ code, out: expect.stringContaining(said) });
  });

  it('[C-8 C-10] what a crash says is for people: it may quote the output, and stands in no audit', async () => {
    const source = 'export const validate = ({ output }) => JSON.parse(output);';
    const root = plant({ 'c.contract.yaml': HEAD + clause, 'p.mjs': source, 'log.jsonl': run('secret') });
    for (const format of ['text', 'json', 'github', 'junit', 'sarif']) {
      const words = ['validate', 'c.contract.yaml', 'log.jsonl', '--format', format, '--audit', 'a.jsonl'];
      expect((await command(root, words)).out).toContain('is not valid JSON');
    }
    expect(readFileSync(join(root, 'a.jsonl'), 'utf8')).not.toContain('secret');
  });

  it('does not see the key of the audit, prints to standard error, and a crash does not end the next run', async () => {
    const source = `let n = 0; console.log("hello\\u001b[31m");\nexport const validate = () => { if (n++ === 1) throw new Error("second"); return process.env.AGENTCONTRACT_AUDIT_KEY === undefined; };`;
    const root = plant({ 'c.contract.yaml': HEAD + clause, 'p.mjs': source, 'log.jsonl': [run('a'), run('b'), run('c')].join('\n') });
    const said = await command(root, ['validate', 'c.contract.yaml', 'log.jsonl'], { AGENTCONTRACT_AUDIT_KEY: 'k' });
    expect(said.out).toContain('3 runs, 2 passed, 1 violated');
    expect(said.err).toContain('hello\\x1b[31m');
  });

  it('is a package installed beside the contract, too; one that is missing is refused', async () => {
    const files = { 'c.contract.yaml': `${HEAD}assert:\n  - {name: p, type: custom, plugin: short-words}\n`, 'log.jsonl': run('a') };
    const entry = {
      'node_modules/short-words/package.json': '{"type": "module", "exports": {"import": "./main.js"}}',
      'node_modules/short-words/main.js': 'export const validate = () => false;',
    };
    expect((await command(plant({ ...files, ...entry }), ['validate', 'c.contract.yaml', 'log.jsonl'])).out).toContain(
      'the plugin short-words says no',
    );
    expect(await command(plant(files), ['check', 'c.contract.yaml'])).toMatchObject({
      code: 2,
      out: expect.stringContaining('neither a file beside the contract nor an installed package'),
    });
  });
});

describe('[C-2] remote contracts', () => {
  it('are fetched by nobody unless that is allowed, and never but over https', async () => {
    const remote = (url: string) => plant({ 'c.contract.yaml': `${HEAD}extends: ${url}\n` });
    expect((await command(remote('https://127.0.0.1:1/a.contract.yaml'), ['check', 'c.contract.yaml'])).out).toContain('--allow-remote');
    expect((await command(remote('https://127.0.0.1:1/a.contract.yaml'), ['check', '--allow-remote', 'c.contract.yaml'])).out).toContain(
      'it cannot be fetched',
    );
    expect((await command(remote('http://127.0.0.1:1/a.contract.yaml'), ['check', '--allow-remote', 'c.contract.yaml'])).out).toContain(
      'only https is fetched',
    );
    expect((await command(remote('file:///etc/a.contract.yaml'), ['check', '--allow-remote', 'c.contract.yaml'])).out).toContain(
      'only https is fetched',
    );
  });
});

describe('[C-9 C-10] enforce on this machine', () => {
  it('writes the audit, posts and runs the alert, and a failing alert hides nothing', async () => {
    const { url, seen } = await server(() => [500, '']);
    const root = plant({ 'c.contract.yaml': `${HEAD}must_not: [contain "foo"]\non_violation: {default: halt_and_alert}\n` });
    const loaded = await loadContract('c.contract.yaml', { cwd: root });
    if (!loaded.ok) throw new Error('the contract is valid');
    const held = await enforce(loaded.contract, async (word: string) => `foo ${word}`, {
      audit: join(root, 'audit.jsonl'),
      auditKey: 'k'.repeat(32),
      webhook: url,
      alertCommand: `cat > ${join(root, 'alert.json')}; exit 3`,
      env: { PATH: process.env['PATH'] },
    });
    await expect(held('x')).rejects.toThrow(ContractHaltError);
    expect(JSON.parse(seen[0]?.body ?? '{}')).toMatchObject({
      kind: 'agentcontract.alert',
      agent: 'bot',
      violations: [{ clause_name: 'must_not[0]' }],
    });
    expect(JSON.parse(readFileSync(join(root, 'alert.json'), 'utf8'))).toMatchObject({ action: 'halt_and_alert' });
    expect(existsSync(join(root, 'audit.jsonl'))).toBe(true);
    cpSync(join(root, 'audit.jsonl'), join(root, 'copy.jsonl'));
    expect((await command(root, ['audit', 'verify', 'copy.jsonl'], { AGENTCONTRACT_AUDIT_KEY: 'k'.repeat(32) })).code).toBe(0);
  });

  it('[C-6 C-9] what no option says is taken from the config of the project, and a config that cannot be used is no config', async () => {
    const root = plant({
      'c.contract.yaml': `${HEAD}must: [{text: be kind, judge: llm}]\non_violation: {default: halt_and_alert}\n`,
      '.agentcontract/config.yaml': 'audit: kept/audit.jsonl\nalert-command: cat > alert.json\njudge: x\njudge-url: http://127.0.0.1:1\n',
    });
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(root);
    open.push(() => cwd.mockRestore());
    const loaded = await loadContract('c.contract.yaml');
    if (!loaded.ok) throw new Error('the contract is valid');
    const options = { env: { PATH: process.env['PATH'] }, alertCommand: `cat > ${join(root, 'mine.json')}` };
    const held = await enforce(loaded.contract, async (word: string) => word, options);
    await expect(held('x')).rejects.toThrow(ContractHaltError);
    expect(readFileSync(join(root, 'kept/audit.jsonl'), 'utf8')).toContain('the judge openai-compatible/x could not be asked');
    expect(existsSync(join(root, 'mine.json'))).toBe(true);
    writeFileSync(join(root, '.agentcontract/config.yaml'), 'judg: x\n');
    await expect(enforce(loaded.contract, async () => 'x')).rejects.toThrow('config.yaml does not take "judg"');
  });
});
