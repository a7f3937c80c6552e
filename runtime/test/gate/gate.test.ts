import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { processes } from '../../src/io/processes.js';
import { exitOf, type JudgedFile } from '../../src/gate/proof.js';
import { fileText } from '../../src/views/gate-text.js';
import { documentIn } from '../cli/documents.js';
import { atHome } from '../readings/at-home.js';

const removals: (() => void)[] = [];
afterAll(() => removals.splice(0).forEach((remove) => remove()));

const STAGE = '---\n---\nWrite it.\n';
const sh = (...lines: string[]): string => ['#!/bin/sh', ...lines, ''].join('\n');
/** Says no to a text without "good". */
const GOOD = sh('grep -q good "$1" && exit 0', 'echo "It is not good."', 'exit 1');

/** A stage's folder with these files, and the command beside it. */
function stage(files: Readonly<Record<string, string | Buffer>>) {
  const home = atHome();
  removals.push(home.done);
  const work = join(home.root, 'work');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home.root,
    FLOW_HOME: join(home.root, 'absent'),
    XDG_CACHE_HOME: join(home.root, 'cache'),
    MY_TOKEN: 'a-secret-of-mine',
  };
  for (const [path, text] of Object.entries({ 'STAGE.md': STAGE, ...files })) {
    const at = join(work, 's', path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
    if (typeof text === 'string' && text.startsWith('#!')) chmodSync(at, 0o755);
  }
  const flow = (...words: string[]) => home.flow(words, { cwd: work, env });
  return {
    work,
    root: home.root,
    flow,
    async judged(...words: string[]) {
      const { out, code } = await flow('gate', './s', '--json', ...words);
      const document = await documentIn(out);
      const files: JudgedFile[] = (document.stages ?? []).flatMap((one: { files: JudgedFile[] }) => one.files);
      expect(document.exit).toBe(code);
      return { code, document, files, verdicts: files.map(({ file, verdict, check }) => `${file} ${verdict} ${check ?? '-'}`) };
    },
  };
}

describe('[I-1] the proof beside a stage', () => {
  it('[I-1 I-6] all as expected: 0, and nothing is left or kept', async () => {
    const at = stage({ 'gate.sh': GOOD, '.fixtures/pass/a.txt': 'good', '.fixtures/fail/b.txt': 'bad', '.fixtures/fail/.hidden': 'good' });
    const { code, verdicts, document } = await at.judged();
    expect([code, verdicts]).toEqual([0, ['.fixtures/pass/a.txt pass -', '.fixtures/fail/b.txt fail gate.sh']]);
    expect(document.stages[0]).toMatchObject({ name: 's', checks: ['gate.sh'], never_failed: [] });
    expect(existsSync(join(at.root, 'absent'))).toBe(false);
    expect(readdirSync(join(at.root, 'cache'))).toEqual([]);
  });

  it.each([
    ['a good file that is refused', { '.fixtures/pass/a': 'bad' }, 'fail'],
    ['a bad file that passes', { '.fixtures/fail/a': 'good' }, 'pass'],
  ])('[I-1] %s: 1', async (_, files, verdict) => {
    const { code, files: judged } = await stage({ 'gate.sh': GOOD, ...files }).judged();
    expect([code, judged[0]?.verdict, judged[0]?.as_expected]).toEqual([1, verdict, false]);
  });

  it('[I-6] says which gate was never shown to fail, and where to put what shows it', async () => {
    const at = stage({ 'gate/01-a.sh': GOOD, 'gate/02-b.sh': GOOD, '.fixtures/pass/a': 'good', '.fixtures/fail/b': 'bad' });
    expect((await at.judged()).document.stages[0].never_failed).toEqual(['gate/02-b.sh']);
    const { code, out } = await at.flow('gate', './s');
    expect(code).toBe(0);
    expect(out).toContain('gate/02-b.sh was never shown to fail: put a bad output in ./s/.fixtures/fail/');
  });

  it('[I-1] nothing to try, nothing that judges, no such stage: 2, each with a way out', async () => {
    expect((await stage({ 'gate.sh': GOOD }).judged()).document.refusals[0].message).toContain('.fixtures/fail/');
    expect((await stage({ '.fixtures/pass/a': '' }).judged()).document.refusals[0].message).toContain(
      'No stage here has a schema or a gate',
    );
  });
});

describe('[K-1] the checks on a file', () => {
  it('[K-5 K-1] the schema first, with all of its words, and the gate only behind it', async () => {
    const schema = JSON.stringify({ type: 'object', required: ['a', 'b'] });
    const at = stage({ 'schema.json': schema, 'gate.sh': sh('touch "$PWD/ran"', ': "$1"'), '.fixtures/fail/x': '{}' });
    const { files } = await at.judged();
    expect(files[0]).toMatchObject({ verdict: 'fail', check: 'schema', text: expect.stringMatching(/a.*\n.*b/s) });
    expect(existsSync(join(at.work, 'ran'))).toBe(false);
  });

  it('[K-4] a checklist judges no file, and that is said', async () => {
    const at = stage({ 'STAGE.md': `${STAGE}\n## Checklist\n\n- It is read\n`, 'gate.sh': GOOD, '.fixtures/pass/a': 'good' });
    const { code, document } = await at.judged();
    expect([code, document.stages[0].not_tried]).toEqual([0, ['checklist']]);
  });

  it('[K-6] a template of markdown is held to its front matter', async () => {
    const { verdicts } = await stage({
      'schema.md': '---\nn: int\n---\n',
      '.fixtures/pass/a': '---\nn: 1\n---\n',
      '.fixtures/fail/b': 'x',
    }).judged();
    expect(verdicts).toEqual(['.fixtures/pass/a pass -', '.fixtures/fail/b fail schema']);
  });

  it.each([
    ['75 with words', sh('echo later; exit 75', ': "$1"'), 'blocked', 1],
    ['75 in silence', sh('exit 75', ': "$1"'), 'fail', 1],
    ['126', sh('exit 126', ': "$1"'), 'fault', 2],
    ['127', sh('exit 127', ': "$1"'), 'fault', 2],
    ['a signal', sh('kill -9 $$', ': "$1"'), 'fault', 2],
    ['too much output', sh('head -c 17000000 /dev/zero', ': "$1"'), 'fault', 2],
    ['a changed output', sh('echo more >> "$1"'), 'fault', 2],
    ['an interpreter that is not there', '#!/no/such/program\n# $1\n', 'fault', 2],
  ])('[K-8 K-11] %s', async (_, gate, verdict, exit) => {
    const { code, files } = await stage({ gate, '.fixtures/pass/a': 'x' }).judged();
    expect([code, files[0]?.verdict, files[0]?.as_expected]).toEqual([exit, verdict, false]);
  });

  it('[K-7 K-13] a gate has its clock, and what it started ends with it', async () => {
    const at = stage({ 'gate.sh': sh('sleep 300 & echo $! > "$PWD/left"', 'sleep 300', ': "$1"'), '.fixtures/pass/a': 'x' });
    const { code, verdicts } = await at.judged('--timeout', '1');
    expect([code, verdicts]).toEqual([2, ['.fixtures/pass/a timeout gate.sh']]);
    // Its second may be over before it comes to start something.
    const left = join(at.work, 'left');
    expect(existsSync(left) ? processes.mark(Number(readFileSync(left, 'utf8'))) : null).toBeNull();
  });

  it('[K-10] a gate has its lib beside it, as in a run, and nothing that a run would not copy', async () => {
    const at = stage({
      'gate.sh': sh('[ -e "$(dirname "$0")/.hidden" ] && { echo hidden; exit 1; }', 'grep -q -f "$(dirname "$0")/lib/words" "$1"'),
      'lib/words': 'good',
      '.hidden': 'x',
      '.fixtures/pass/a': 'good',
    });
    expect((await at.judged()).code).toBe(0);
  });
});

describe('[S-1] what a gate is given', () => {
  const SHOW = sh('{ env; cat "$OUTPUT"; ls "$INPUT"; echo "args $# $1"; echo "in $(cat | wc -c)"; } > "$PWD/seen"');

  it('[S-1 S-2 K-7] the slots, the run’s name, the output as its one argument, and no secret', async () => {
    const at = stage({ 'gate.sh': SHOW, '.fixtures/pass/a.txt': 'bytes', '.fixtures/input/before.json': '{}' });
    expect((await at.judged()).code).toBe(0);
    const seen = readFileSync(join(at.work, 'seen'), 'utf8');
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(seen)?.[1] ?? '';
    expect(value('PWD')).toBe(at.work);
    expect(value('TMPDIR')).toBe(value('TMP'));
    expect(value('FLOW_RUN_ID')).toMatch(/^\d{4}-\d\d-\d\dT[\d-]{8}-[0-9a-f]{4}$/);
    expect(value('OUTPUT')).toMatch(/\/output\.txt$/);
    expect(seen).toContain(`args 1 ${value('OUTPUT')}`);
    expect(seen).toMatch(/^bytes.*before\.json$/ms);
    expect(seen).toContain('in 0');
    expect(seen).not.toContain('a-secret-of-mine');
    expect(seen).not.toMatch(/^FLOW_HOME=/m);
  });

  it('[S-1] the input that is named instead, the working tree, and a declared slot, which must be there', async () => {
    const at = stage({});
    mkdirSync(join(at.work, 'a/flows/f/01-s/.fixtures/pass'), { recursive: true });
    for (const folder of ['given', 'tree', 'repo']) mkdirSync(join(at.work, folder));
    writeFileSync(join(at.work, 'a/ASSEMBLY.md'), '---\nslots:\n  repo: where it is\n---\n');
    writeFileSync(join(at.work, 'a/flows/f/FLOW.md'), '---\ndescription: d\n---\n');
    writeFileSync(join(at.work, 'a/flows/f/01-s/STAGE.md'), STAGE);
    writeFileSync(join(at.work, 'a/flows/f/01-s/.fixtures/pass/x'), '');
    writeFileSync(join(at.work, 'a/flows/f/01-s/gate'), SHOW.replace('ls "$INPUT"', 'ls "$INPUT"; echo "repo $REPO"'), { mode: 0o755 });
    writeFileSync(join(at.work, 'given/one.md'), '');
    expect((await at.flow('gate', './a')).err).toContain('Add --repo PATH');
    const { code, err } = await at.flow('gate', './a/f/01-s', '--repo', './repo', '--in', './tree', '--input', './given');
    expect([code, err]).toEqual([0, '']);
    const seen = readFileSync(join(at.work, 'tree/seen'), 'utf8');
    expect(seen).toContain('one.md');
    expect(seen).toContain(`repo ${join(at.work, 'repo')}`);
  });
});

describe('[I-1] files of one’s own', () => {
  it('[I-1] each must pass, and stays as it is', async () => {
    const at = stage({ 'gate.sh': GOOD });
    writeFileSync(join(at.work, 'one'), 'good');
    writeFileSync(join(at.work, 'two'), 'bad');
    symlinkSync('one', join(at.work, 'link'));
    expect((await at.judged('one', 'link')).code).toBe(0);
    const both = await at.judged('one', 'two');
    expect([both.code, both.verdicts]).toEqual([1, ['one pass -', 'two fail gate.sh']]);
    expect(both.document.stages[0].never_failed).toEqual([]);
    expect((await at.judged('gone', 'lost')).document.refusals.map(({ message }: { message: string }) => message)).toEqual([
      'There is no file gone.',
      'There is no file lost.',
    ]);
  });

  it('[K-3] a folder, a FIFO: no output', async () => {
    const at = stage({ 'gate.sh': GOOD });
    mkdirSync(join(at.work, 'folder'));
    execFileSync('mkfifo', [join(at.work, 'fifo')]);
    const { code, files } = await at.judged('folder', 'fifo');
    expect([code, files.map(({ check }) => check)]).toEqual([1, ['output', 'output']]);
    expect(files[0]?.text).toContain('There is a folder in its place');
  });

  it('[K-8] bytes that are not UTF-8, zero bytes, nothing at all', async () => {
    const at = stage({ 'gate.sh': sh('cat "$1"; exit 1') });
    writeFileSync(join(at.work, 'raw'), Buffer.from([0xff, 0x00, 0xfe]));
    writeFileSync(join(at.work, 'empty'), '');
    const { code, files } = await at.judged('raw', 'empty');
    expect([code, files.map(({ verdict }) => verdict)]).toEqual([1, ['fail', 'fail']]);
    expect(files[0]?.text).toContain('check.capture');
  });

  it('[I-3 S-2] nothing that a gate prints or a file is called steers a terminal or gives a secret away', async () => {
    const at = stage({
      'gate.sh': sh('printf "\\033[2J a-secret-of-mine\\n"; exit 1', ': "$1"'),
      '.fixtures/fail/a\u001b[31m': 'x',
      '.fixtures/pass/b': 'x',
    });
    const { out } = await at.flow('gate', './s', '-v');
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain('a-secret-of-mine');
    expect(out).toContain('\\x1b[2J ***');
    expect((await at.flow('gate', './s', '--json')).out).not.toContain('a-secret-of-mine');
  });

  it('[I-1] a file and several stages: which one is asked', async () => {
    const at = stage({});
    await at.flow('new', './g', '--template', 'gated');
    writeFileSync(join(at.work, 'x'), '');
    expect((await at.flow('gate', './g', 'x')).err).toContain('flows/g/01-sort, flows/g/02-reply');
    rmSync(join(at.work, 'x'));
  });
});

it('[I-1] the line of a file fits the terminal', () => {
  const judged: JudgedFile = {
    file: 'f',
    expected: 'fail',
    verdict: 'fail',
    as_expected: true,
    check: 'gate',
    text: 'ü'.repeat(300),
    checks: [],
  };
  for (const width of [40, 80]) expect([...fileText(judged, { widest: 1, width, whole: false }).trimEnd()].length).toBeLessThan(width);
});

it.each([
  [['pass', 'fail'], 0],
  [['pass', 'fault'], 2],
  [['timeout'], 2],
  [['blocked'], 1],
  [[], 2],
] as const)('[I-1] %j is exit %i', (verdicts, exit) => {
  const files = verdicts.map((verdict) => ({ verdict, as_expected: verdict === 'pass' || verdict === 'fail' }));
  expect(exitOf([{ files: files.map((one) => ({ file: '', expected: 'pass', checks: [], ...one })) }])).toBe(exit);
});

it('[I-3] a file is told on one line, whatever its name holds', async () => {
  const at = stage({ 'gate.sh': GOOD });
  writeFileSync(join(at.work, 'two\nlines\u001b[2J.txt'), 'good');
  const { out, code } = await at.flow('gate', './s', 'two\nlines\u001b[2J.txt');
  expect(code).toBe(0);
  expect(out).toContain(' ✓ two\\x0alines\\x1b[2J.txt   passes\n');
});
