import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLiving, readProcess } from '../../src/io/process-table.js';
import schema from '../../schemas/flow.run.schema.json' with { type: 'json' };
import { calls, type Line, plant, sh, stage, stops, type Tree, wrote } from '../run/ground.js';
import { bundle, type Bundle, type Ended, flow, type Start } from './bundle.js';

let built: Bundle;
let number = 0;
beforeAll(async () => {
  built = await bundle();
});
afterAll(() => built.remove());

interface Place {
  readonly root: string;
  readonly work: string;
  readonly home: string;
}

/** A new assembly of one flow, with a working tree and a home of its own. */
function place(entries: Tree, root: Tree = {}): Place {
  number += 1;
  const folder = join(built.folder, `p${number}`);
  mkdirSync(join(folder, 'work'), { recursive: true });
  plant(join(folder, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp.\n',
    'flows/main/FLOW.md': '---\ndescription: A flow\n---\n',
    ...Object.fromEntries(Object.entries(entries).map(([path, value]) => [`flows/main/${path}`, value])),
    ...root,
  });
  return { root: folder, work: join(folder, 'work'), home: join(folder, 'home') };
}

function run(at: Place, lines: readonly Line[], words: readonly string[] = ['the request'], start: Start = {}): Promise<Ended> {
  writeFileSync(join(at.root, 's.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  return flow(built, ['run', '../a', ...words, '--script', '../s.jsonl'], {
    cwd: at.work,
    ...start,
    env: { FLOW_HOME: at.home, ...start.env },
  });
}

function events(at: Place): { event: string; cause?: string; exit?: number }[] {
  const [name = ''] = readdirSync(join(at.home, 'runs')).filter((one) => !one.includes('.lock') && !one.includes('.groups'));
  return readFileSync(join(at.home, 'runs', name, 'record.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string });
}

const S = '01-word';
const GOOD = [wrote(S, 'hello\n'), stops(S)];

describe('flow run', () => {
  it('[E-3] the output’s bytes, and nothing else, go to standard output', async () => {
    const { code, out, err } = await run(place({ [`${S}.md`]: stage() }), [
      calls(S, 'bash', { command: 'printf \'a\\000\\033[31m\\377\' > "$OUTPUT"' }),
      stops(S),
    ]);
    expect(code).toBe(0);
    expect(out).toEqual(Buffer.from([0x61, 0, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xff]));
    expect(err).toMatch(/✓ 01-word {2}1 round/);
    expect(err).toMatch(/flow verify /);
  });

  it('[E-3 O-2] the agent that works with all flows is counted like any other', async () => {
    const two = { 'flows/other/FLOW.md': '---\ndescription: Another\n---\n', 'flows/other/01-b.md': stage() };
    const { code, err } = await run(place({ [`${S}.md`]: stage() }, two), [wrote('assembly', 'done'), stops('assembly')]);
    expect(code).toBe(0);
    expect(err).toMatch(/^assembly · 1 stage · scripted {3}run /);
  });

  it('[E-3 I-2] --json is one document that fits its schema, for every ending', async () => {
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    const documentOf = async (ended: Promise<Ended>): Promise<{ exit: number; cause?: string }> => {
      const value = JSON.parse((await ended).out.toString()) as { exit: number };
      expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
      return value;
    };
    expect(await documentOf(run(place({ [`${S}.md`]: stage() }), GOOD, ['r', '--json']))).toMatchObject({
      exit: 0,
      cause: 'success',
      output: { text: 'hello\n', bytes: 6 },
    });
    expect(await documentOf(run(place({ [`${S}.md`]: stage() }), [], ['r', '--json']))).toMatchObject({
      exit: 1,
      cause: 'exhausted',
      failed: 'output',
      stage: S,
      output: null,
    });
    expect(await documentOf(run(place({ [`${S}.md`]: '---\n---\n' }), [], ['r', '--json']))).toMatchObject({
      exit: 2,
      run: null,
      refusals: [{ code: 'body-missing' }],
    });
  });

  it('[E-4] a failure names cause, stage, what failed, why, and the command that shows more', async () => {
    const at = place({
      [`${S}/STAGE.md`]: stage('W.', 'retries: 0\n'),
      [`${S}/gate/02-sections`]: sh('echo "no \u001b[31msection"; exit 1'),
    });
    const { code, out, err } = await run(at, GOOD);
    expect([code, out.length]).toEqual([1, 0]);
    expect(err).toContain('exhausted at 01-word: gate/02-sections said no in the only round.');
    expect(err).toContain('no \\x1b[31msection');
    expect(err).toMatch(/flow show \S+ 01-word/);
    expect(err).toMatch(/flow gate \S+01-word FILE +try the gate on a file of your own/);
    expect(err).not.toContain('\u001b');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('[E-2] %s ends everything with exit %i, and the record says so', async (signal, exit) => {
    const at = place({ [`${S}/STAGE.md`]: stage(), [`${S}/failure`]: sh('echo ran') });
    const lines = [calls(S, 'bash', { command: 'setsid sleep 61 & echo $! > s; echo $$ > p.tmp; mv p.tmp p; sleep 61' })];
    const { code, out } = await run(at, lines, ['r'], { meet: (child) => whenThere(join(at.work, 'p'), () => child.kill(signal)) });
    expect([code, out.length]).toEqual([exit, 0]);
    expect(
      events(at)
        .map(({ event }) => event)
        .slice(-3),
    ).toEqual(['signal', 'stage_end', 'run_end']);
    expect(events(at).at(-1)).toMatchObject({ cause: 'signal', exit });
    for (const name of ['p', 's']) expect(lives(readFileSync(join(at.work, name), 'utf8')), name).toBe(false);
    expect(readdirSync(join(at.home, 'runs'))).toHaveLength(1);
    expect(readdirSync(join(built.folder, 'cache'))).toEqual([]);
  });

  it('[E-2] a process that ignores SIGTERM is killed', async () => {
    const at = place({
      [`${S}/STAGE.md`]: stage(),
      [`${S}/before`]: sh('trap "" TERM INT; echo $$ > "$PWD/p.tmp"; mv "$PWD/p.tmp" "$PWD/p"; while :; do sleep 1; done'),
    });
    const { code } = await run(at, GOOD, ['r'], { meet: (child) => whenThere(join(at.work, 'p'), () => child.kill('SIGTERM')) });
    expect(code).toBe(143);
    expect(lives(readFileSync(join(at.work, 'p'), 'utf8'))).toBe(false);
  });

  it('[E-2] stubborn processes of every kind end: in the background, in a session of their own, in front', async () => {
    const at = place({ [`${S}.md`]: stage() });
    const stubborn = (name: string): string =>
      `sh -c 'trap "" TERM; echo $$ > ${name}.new; mv ${name}.new ${name}; while :; do sleep 1; done'`;
    const command = `${stubborn('a')} & setsid ${stubborn('b')} & ${stubborn('c')}`;
    const meet: Start['meet'] = (child) =>
      whenThere(
        ['a', 'b', 'c'].map((name) => join(at.work, name)),
        () => child.kill('SIGTERM'),
      );
    const { code } = await run(at, [calls(S, 'bash', { command: 'true' }), calls(S, 'bash', { command })], ['r'], { meet });
    expect(code).toBe(143);
    for (const name of ['a', 'b', 'c']) expect(lives(readFileSync(join(at.work, name), 'utf8')), name).toBe(false);
  });

  it('[E-3 I-4] a closed pipe is quiet and does not change the exit', async () => {
    const at = place({ [`${S}.md`]: stage() });
    const lines = [calls(S, 'bash', { command: 'head -c 5000000 /dev/zero > "$OUTPUT"' }), stops(S)];
    const { code, err } = await run(at, lines, ['r'], { meet: (child) => child.stdout?.once('data', () => child.stdout?.destroy()) });
    expect(code).toBe(0);
    expect(err).not.toMatch(/EPIPE|Error/);
  });

  it('[I-4] five megabytes of output survive a pipe', async () => {
    const { out } = await run(place({ [`${S}.md`]: stage() }), [
      calls(S, 'bash', { command: 'head -c 5000000 /dev/zero > "$OUTPUT"' }),
      stops(S),
    ]);
    expect(out).toHaveLength(5_000_000);
  });

  it('[O-3] an argument is enough: an open standard input is never read', async () => {
    const { code } = await run(place({ [`${S}.md`]: stage() }), GOOD, ['r'], { open: true });
    expect(code).toBe(0);
  });

  it('[O-3] standard input is the request when nothing else is', async () => {
    const at = place({ [`${S}.md`]: stage() });
    const { out } = await run(at, [calls(S, 'bash', { command: 'cp "$INPUT/request.txt" "$OUTPUT"' }), stops(S)], [], {
      input: 'from a pipe\n',
    });
    expect(out.toString()).toBe('from a pipe\n');
  });

  it('[A-18] a refused run leaves no record and no home', async () => {
    const at = place({ [`${S}.md`]: '---\n---\n' });
    const { code, out, err } = await run(at, GOOD);
    expect([code, out.length]).toEqual([2, 0]);
    expect(err).toMatch(/^body-missing +flows\/main\/01-word\.md\n/);
    expect(existsSync(at.home)).toBe(false);
  });

  it('[M-5] a malformed script is refused by line, before the run', async () => {
    const at = place({ [`${S}.md`]: stage() });
    writeFileSync(join(at.root, 's.jsonl'), '{"stage":"01-word"}\nnot json\n');
    const { code, err } = await flow(built, ['run', '../a', 'r', '--script', '../s.jsonl'], { cwd: at.work, env: { FLOW_HOME: at.home } });
    expect(code).toBe(2);
    expect(err).toMatch(/script:2/);
    expect(existsSync(at.home)).toBe(false);
  });

  it('[M-5] lines that nothing asked for are told with -v, and are no failure', async () => {
    const lines = [...GOOD, stops('02-other')];
    expect((await run(place({ [`${S}.md`]: stage() }), lines, ['r', '-v'])).err).toContain('script:3 for 02-other');
    expect((await run(place({ [`${S}.md`]: stage() }), lines)).err).not.toContain('02-other');
  });

  it('[O-7] --isolate leaves the tree alone and commits what changed to a branch of the run', async () => {
    const at = place({ [`${S}.md`]: stage() });
    plant(at.work, { 'f.txt': 'one\n' });
    const git = 'git -c user.name=t -c user.email=t@t';
    const { execSync } = await import('node:child_process');
    execSync(`git init -q . && git add . && ${git} commit -qm first`, { cwd: at.work });
    const env = { GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@t', GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@t' };
    const { code, err } = await run(
      at,
      [calls(S, 'bash', { command: 'echo two > f.txt; echo x > "$OUTPUT"' }), stops(S)],
      ['r', '--isolate'],
      { env },
    );
    expect(code, err).toBe(0);
    expect(readFileSync(join(at.work, 'f.txt'), 'utf8')).toBe('one\n');
    const [branch = ''] = /flow\/\S+/.exec(execSync('git branch --list "flow/*"', { cwd: at.work }).toString()) ?? [];
    expect(execSync(`git show ${branch}:f.txt`, { cwd: at.work }).toString()).toBe('two\n');
    expect(err).toContain(branch);
  });

  it('[O-7] --isolate outside a repository is refused, and nothing is left', async () => {
    const at = place({ [`${S}.md`]: stage() });
    const { code, err } = await run(at, GOOD, ['r', '--isolate']);
    expect(code).toBe(2);
    expect(err).toMatch(/git repository/);
    expect(readdirSync(join(at.home, 'runs'))).toEqual([]);
  });

  it('[O-7] a second live run in the same tree is warned about', async () => {
    const at = place({ [`${S}.md`]: stage() });
    const first = run(at, [calls(S, 'bash', { command: 'echo $$ > p; sleep 61' })], ['r'], {
      meet: (child) => whenThere(join(at.work, 'p'), () => void second.then(() => child.kill('SIGTERM'))),
    });
    const second = new Promise<Ended>((resolve) => whenThere(join(at.work, 'p'), () => void run(at, GOOD, ['r']).then(resolve)));
    expect((await second).err).toMatch(/is working in the same tree/);
    expect((await first).code).toBe(143);
  });

  it('[R-8] a signed run verifies with the key, and not with another', async () => {
    const at = place({ [`${S}.md`]: stage() });
    await flow(built, ['keygen', join(at.root, 'k')], { cwd: at.work });
    const keys = readdirSync(at.root).filter((name) => name.startsWith('k'));
    expect(keys.length).toBeGreaterThanOrEqual(2);
    const secret = keys.find((name) => readFileSync(join(at.root, name), 'utf8').includes('PRIVATE')) ?? '';
    const open = keys.find((name) => readFileSync(join(at.root, name), 'utf8').includes('PUBLIC')) ?? '';
    expect((await run(at, GOOD, ['r', '--sign', `../${secret}`])).code).toBe(0);
    const verified = await flow(built, ['verify', 'latest', '--key', `../${open}`], { cwd: at.work, env: { FLOW_HOME: at.home } });
    expect(verified.code, verified.err + verified.out.toString()).toBe(0);
    expect((await run(at, GOOD, ['r', '--sign', '../s.jsonl'])).code).toBe(2);
  });
});

function lives(pid: string): boolean {
  const entry = readProcess(Number(pid));
  return entry !== null && isLiving(entry);
}

/** Acts once the files are there; gives up with the test. */
function whenThere(paths: string | readonly string[], act: () => void): void {
  const look = setInterval(() => {
    if (![paths].flat().every((path) => existsSync(path))) return;
    clearInterval(look);
    act();
  }, 20);
  look.unref();
}
