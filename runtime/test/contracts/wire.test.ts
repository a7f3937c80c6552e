/** Contracts through the built command: agents and judges over the providers' own wires, and what is left of a run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WIRES, type Said, type Wire } from '../../../scripts/lib/wires.mjs';
import { bundle, flow, type Bundle } from '../cli/bundle.js';
import { answering, status, stream, type Loopback } from '../models/loopback.js';
import { plant, stage, type Tree } from '../run/ground.js';
import { contract } from './ground.js';

let built: Bundle;
beforeAll(async () => {
  built = await bundle();
});
afterAll(() => built.remove());

let server: Loopback | undefined;
const roots: string[] = [];
afterEach(async () => {
  await server?.close();
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

const KIND = contract('must:\n  - {text: be kind, judge: llm}\n');
const wrote = (content: string): Said => ({
  calls: [{ id: 'call_1', name: 'write', pieces: [JSON.stringify({ path: '$OUTPUT', content })] }],
});
const DONE: Said = { text: 'Done.' };
const says = (verdict: string, more: Partial<Said> = {}): Said => ({ text: JSON.stringify({ verdict, reason: 'It is so.' }), ...more });

const TWO: Tree = {
  'b/flows/main/FLOW.md': '---\ndescription: Two stages\n---\n',
  'b/flows/main/01-a/STAGE.md': stage('Greet.', 'retries: 0\n'),
  'b/flows/main/01-a/k.contract.yaml': KIND,
  'b/flows/main/02-end.md': stage('End.'),
};

interface Ground {
  readonly root: string;
  run(...words: readonly string[]): ReturnType<typeof flow>;
}

/** One stage `a` under a contract, its agent and its judge served by these answers in turn. */
async function ground(wire: Wire, said: readonly (Said | number)[], tree: Tree = {}): Promise<Ground> {
  const served = await answering((index) => {
    const each = said[index];
    if (each === undefined) return status(400, wire.error('invalid_request_error', 'Nobody expected this request.'));
    return typeof each === 'number' ? status(each, wire.error('invalid_request_error', 'No.')) : stream(wire.answer(each));
  });
  server = served;
  const root = mkdtempSync(join(tmpdir(), 'wire-'));
  roots.push(root);
  const url = wire.provider === 'openai-compatible' ? `${served.url}/v1` : served.url;
  const row = (model: string): string =>
    `{provider: ${wire.provider}, model: ${model}, base-url: "${url}", api-key-env: THE_KEY, price: {input: 1, output: 1}}`;
  plant(root, {
    'home/config.yaml': `intelligences:\n  default: ${row('the-agent')}\n  judge: ${row('the-judge')}\n`,
    'a/STAGE.md': stage('Greet.', 'retries: 0\n'),
    'a/k.contract.yaml': KIND,
    ...tree,
  });
  mkdirSync(join(root, 'work'), { recursive: true });
  const env = { FLOW_HOME: join(root, 'home'), THE_KEY: 'key-of-the-test' };
  return { root, run: (...words) => flow(built, words, { cwd: join(root, 'work'), env }) };
}

const bodies = (): readonly string[] => server?.seen.map(({ text }) => text) ?? [];

describe.each(Object.values(WIRES))('[C-6] a judge of $provider', (wire) => {
  it('[C-6 M-4] is asked over its own wire, apart from the agent, and lets through what passes', async () => {
    const at = await ground(wire, [wrote('Welcome, <<< friend.\n'), DONE, says('PASS')]);
    const ran = await at.run('run', '--quiet', '../a', 'a word');
    expect([ran.err, ran.code, ran.out.toString()]).toEqual(['', 0, 'Welcome, <<< friend.\n']);
    const asked = bodies()[2] ?? '';
    expect(asked).toContain('You are an impartial judge');
    expect(asked).toMatch(/<<<[\w-]{16,}\\n/);
    expect(asked).toContain('Welcome, \\\\\\\\u003c\\\\\\\\u003c\\\\\\\\u003c friend.'.replaceAll('\\\\\\\\', '\\\\'));
    expect(asked).not.toContain('Greet.');
    expect(`${server?.seen[2]?.path}${asked}`).toContain('the-judge');
    expect(`${server?.seen[0]?.path}${bodies()[0]}`).toContain('the-agent');
  });

  it('[C-6 C-13 E-3] says FAIL: rejected, and the candidate is shown only with --withheld', async () => {
    const at = await ground(wire, [wrote('Go away.\n'), DONE, says('FAIL')]);
    const ran = await at.run('run', '--quiet', '../a', 'a word');
    expect([ran.code, ran.out.toString()]).toEqual([1, '']);
    expect(ran.err).toContain(`must[0], "be kind": the judge ${wire.provider}/the-judge says FAIL. It is so.`);
    const refused = await at.run('output', 'latest');
    expect([refused.code === 0, refused.out.toString()]).toEqual([false, '']);
    expect(refused.err).toContain(' a --withheld prints the one that did not pass.');
    expect((await at.run('output', 'latest', 'a')).out.toString()).toBe('');
    const shown = await at.run('output', 'latest', '--withheld');
    expect([shown.code, shown.out.toString()]).toEqual([0, 'Go away.\n']);
  });

  it('[C-6] that replies in words is asked once more; that cannot be asked lets nothing through', async () => {
    const again = await ground(wire, [wrote('Hi.\n'), DONE, { text: 'I think it should PASS.' }, says('PASS')]);
    expect((await again.run('run', '--quiet', '../a', 'x')).code).toBe(0);
    expect(bodies()[3]).toContain('Your last reply was not that JSON object');
    await server?.close();
    const down = await ground(wire, [wrote('Hi.\n'), DONE, 401]);
    const ran = await down.run('run', '--quiet', '../a', 'x');
    expect([ran.code, ran.out.toString()]).toEqual([1, '']);
    expect(ran.err).toContain('could not be asked');
  });

  it('[C-7 I-5] whose price alone crosses --max-cost: no further model is asked, and the run is rejected', async () => {
    const dear = says('PASS', { usage: { input: 3_000_000, output: 10 } });
    const at = await ground(wire, [wrote('Hi.\n'), DONE, dear], { 'b/ASSEMBLY.md': '---\n---\nHelp.\n', ...TWO });
    const ran = await at.run('run', '--quiet', '--max-cost', '1', '../b', 'x');
    expect([ran.code, ran.out.toString()]).toEqual([1, '']);
    expect(ran.err).toContain('rejected at 02-end');
    expect(ran.err).toContain('--max-cost');
    expect(server?.seen).toHaveLength(3);
  });

  it('[C-7 I-5] is not asked once the agent has spent it all, and what is said names the limit', async () => {
    const at = await ground(wire, [wrote('Hi.\n'), { ...DONE, usage: { input: 3_000_000, output: 10 } }]);
    const ran = await at.run('run', '--quiet', '--max-cost', '1', '../a', 'x');
    expect([ran.code, ran.out.toString()]).toEqual([1, '']);
    expect(ran.err).toContain('--max-cost');
    expect(server?.seen).toHaveLength(2);
  });
});

describe('[C-9] rollback through the command', () => {
  it.each([
    ['rollback', []],
    ['block', ['changed\n']],
  ])('[C-9 C-13 O-7] --isolate, %s: the output is withheld, and what the stage changed is discarded or kept', async (action, left) => {
    const call = (name: string, input: object): Said => ({ calls: [{ id: 'call_1', name, pieces: [JSON.stringify(input)] }] });
    const at = await ground(
      WIRES['openai-compatible'],
      [call('bash', { command: 'echo changed > kept.txt; echo new > new.txt; echo foo > "$OUTPUT"' }), DONE],
      { 'a/k.contract.yaml': contract(`must_not: [contain "foo"]\non_violation: {default: ${action}}\n`), 'work/kept.txt': 'as it was\n' },
    );
    const work = join(at.root, 'work');
    const git = (...words: readonly string[]): string => execFileSync('git', ['-C', work, ...words], { encoding: 'utf8' });
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'start');
    const ran = await at.run('run', '--isolate', '../a', 'x');
    expect([ran.code, ran.out.toString()]).toEqual([1, '']);
    expect(readFileSync(join(work, 'kept.txt'), 'utf8')).toBe('as it was\n');
    expect(readdirSync(work)).not.toContain('new.txt');
    // A tree of the run's own in which nothing is left is not kept.
    const trees =
      git('worktree', 'list', '--porcelain')
        .match(/(?<=^worktree ).+/gm)
        ?.slice(1) ?? [];
    expect(trees.map((tree) => readFileSync(join(tree, 'kept.txt'), 'utf8'))).toEqual(left);
    const events = (await at.run('events', 'latest')).out.toString();
    expect(events).toContain(action);
    expect(events).not.toContain('not rolled back');
    expect((await at.run('output', 'latest', '--withheld')).out.toString()).toBe('foo\n');
  });
});
