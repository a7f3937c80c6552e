import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Io } from '../../src/cli/command.js';
import { guarded, isJob, type JobLog } from '../../src/cli/job-log.js';
import { main } from '../../src/cli/main.js';
import { printBytes } from '../../src/cli/print-bytes.js';
import { appendSummary } from '../../src/io/step-summary.js';
import { createRanking, inRepository } from '../../src/reports/github/annotations.js';
import { createGuard, holdsCommand } from '../../src/reports/github/guard.js';
import { chunks, fakeIo } from '../cli/io.js';
import { atHome } from '../readings/at-home.js';
import { plant, sh, type Tree } from '../run/ground.js';

/** What the runner of GitHub reads as a command: behind white space at the beginning of a line, and the older form anywhere. */
const obeyed = (text: string): boolean => /^\s*::/m.test(text) || text.includes('##[');

describe('text in the log of a job', () => {
  it.each([
    ['::error::x', '\\u003a:error::x'],
    ['a\n \t\u3000::add-mask::x', 'a\n \t\u3000\\u003a:add-mask::x'],
    ['a\r::x', 'a\r\\u003a:x'],
    ['see ##[group]x', 'see ##\\u005bgroup]x'],
    ['std::vector and a :: b', 'std::vector and a :: b'],
    ['{\n  "a": "##[x]"\n}', '{\n  "a": "##\\u005bx]"\n}'],
    ['', ''],
  ])('[I-7] %j is shown as %j', (text, shown) => expect(createGuard()(text)).toBe(shown));

  it('[I-7] no text in any pieces commands, and JSON keeps its value', () => {
    const text = fc.string({ unit: fc.constantFrom(':', '#', '[', '\n', '\r', ' ', 'x', '\u00a0'), maxLength: 24 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (pieces) => {
        const guard = createGuard();
        expect(obeyed(pieces.map(guard).join(''))).toBe(false);
        const json = JSON.stringify({ [pieces.join('')]: pieces });
        expect(JSON.parse(createGuard()(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  it('[I-7] commands in bytes are found wherever the pieces end', async () => {
    const text = fc.string({ unit: fc.constantFrom(':', '#', '[', '\n', ' ', 'x', '\u3000'), maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(60), async (whole, cut) => {
        const bytes = Buffer.from(whole);
        const pieces = chunks(bytes.subarray(0, cut), bytes.subarray(cut));
        if (obeyed(whole)) expect(await holdsCommand(pieces)).toBe(true);
      }),
    );
    expect(await holdsCommand(chunks('# A heading\n\nstd::vector: [x]\n', Buffer.of(0xff, 0)))).toBe(false);
    expect(await holdsCommand(chunks(`\n${' '.repeat(300)}`, ' '.repeat(300), '::error::x'))).toBe(true);
  });

  const job = (more: Partial<JobLog> = {}): JobLog & { readonly commands: string[] } => {
    const commands: string[] = [];
    return {
      commands,
      command: (text) => void commands.push(text),
      outIsFile: false,
      stop: async () => void commands.push('stop'),
      ...more,
    };
  };

  it('[I-7 E-3] bytes are exact; when they would command, the log is stopped before them', async () => {
    const hostile = Buffer.from('fine\n::add-mask::x\n\xff');
    for (const outIsFile of [false, true]) {
      const log = job({ outIsFile });
      const plain = fakeIo();
      await printBytes(() => chunks(hostile), guarded(plain, log));
      expect(plain.printed()).toBe(hostile.toString());
      expect(log.commands).toEqual(outIsFile ? [] : ['stop']);
      expect(plain.said().includes('obeys no command of this step from here on')).toBe(!outIsFile);
    }
    const log = job();
    await printBytes(() => chunks('harmless'), guarded(fakeIo(), log));
    expect(log.commands).toEqual([]);
  });

  it('[I-7] only a job of GitHub is one', () => {
    expect([{}, { GITHUB_ACTIONS: 'false' }, { CI: 'true' }, { GITHUB_ACTIONS: 'true' }].map(isJob)).toEqual([false, false, false, true]);
  });
});

describe('annotations', () => {
  const one = (level: 'error' | 'warning' | 'notice', title: string) => ({ level, title, message: 'm', file: 'a,b.md', line: 3 });

  it('[I-7] at most ten, the worst first, the rest counted', () => {
    const ranking = createRanking();
    for (let n = 0; n < 30; n += 1) ranking.add(one('notice', `n${n}`));
    for (let n = 0; n < 4; n += 1) ranking.add(one('warning', `w${n}`));
    for (let n = 0; n < 3; n += 1) ranking.add(one('error', `e${n}`));
    const lines = ranking.commands('flow show latest').trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.map((line) => /^::(\w+)/.exec(line)?.[1])).toEqual([
      ...Array(3).fill('error'),
      ...Array(4).fill('warning'),
      ...Array(3).fill('notice'),
    ]);
    expect(lines.at(-1)).toBe('::notice title=28 notices more::flow show latest');
    expect(lines[0]).toBe('::error file=a%2Cb.md,line=3,title=e0::m');
  });

  it('[I-7] ten are shown as they are, and none is nothing', () => {
    const ranking = createRanking();
    for (let n = 0; n < 10; n += 1) ranking.add(one('error', `e${n}`));
    expect(ranking.commands('').match(/::error/g)).toHaveLength(10);
    expect(createRanking().commands('')).toBe('');
  });

  it.each([
    ['/repo/a/b.md', 'a/b.md'],
    ['/repo/..b', '..b'],
    ['/repo', null],
    ['/repository/a', null],
    ['/other', null],
  ])('[I-7] %s in /repo is %s', (path, found) => expect(inRepository(path, '/repo')).toBe(found));
});

describe('a step of a job', () => {
  let at: ReturnType<typeof atHome>;
  beforeEach(() => {
    at = atHome();
  });
  afterEach(() => at.done());

  const GATE = sh(
    '[ -n "$1" ]; echo "::add-mask::owned"; echo "##[error]old"; echo \'```\'; echo "@maintainer <img src=x> [a](http://b)"; exit 1',
  );
  const NOTES: Tree = { 'notes/STAGE.md': '---\nretries: 1\n---\nWrite notes.\n', 'notes/gate.sh': GATE };

  /** Runs a command as a job does: what it wrote as text, and what it commanded. */
  async function inJob(words: readonly string[]) {
    const commands: string[] = [];
    const summary = join(at.root, 'summary.md');
    const env = {
      FLOW_HOME: at.home,
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: at.root,
      GITHUB_STEP_SUMMARY: summary,
      PATH: process.env['PATH'],
    };
    const plain = fakeIo({ env, cwd: at.root });
    const log: JobLog = { command: (text) => void commands.push(text), outIsFile: false, stop: async () => void commands.push('stop') };
    const io: Io = guarded(plain, log);
    writeFileSync(summary, '');
    const code = await main(words, io);
    return { code, out: plain.printed(), err: plain.said(), commands: commands.join(''), summary: readFileSync(summary, 'utf8') };
  }

  it('[I-7] a run that failed: annotations with their files, a summary, and no word of the gate commands', async () => {
    plant(at.root, NOTES);
    const { code, out, err, commands, summary } = await inJob(['run', '--rehearse', 'notes', 'x']);
    expect(code).toBe(1);
    expect(commands).toMatch(/^::error file=notes\/gate\.sh,line=1,title=notes%3A gate\.sh said no in round 2::::add-mask::owned%0A/);
    expect(commands.split('\n').filter((line) => line !== '' && !/^::(error|warning|notice) /.test(line))).toEqual([]);
    expect(obeyed(out)).toBe(false);
    expect(obeyed(err)).toBe(false);
    expect(err).toContain('\\u003a:add-mask::owned');
    expect(summary).toContain('### ✗ `notes`: exhausted at `notes`');
    expect(summary).toContain('````text\n::add-mask::owned\n');
  });

  it('[I-7] a refusal and a warning name their files; without a target there are none', async () => {
    plant(at.root, { ...NOTES, 'bad/STAGE.md': '---\nretries: -1\n---\nWork.\n' });
    const refused = await inJob(['run', '--rehearse', 'bad', 'x']);
    expect(refused.code).toBe(2);
    expect(refused.commands).toMatch(/^::error file=bad\/STAGE\.md,line=\d+,title=/);
    expect(refused.summary).toContain('1 fault, nothing was run');
    const checked = await inJob(['check', '--rehearse', 'notes', 'x']);
    expect(checked.code).toBe(0);
    expect(checked.commands).toMatch(/^::warning file=notes\/gate\.sh,line=1,title=flow check::/);
    expect(checked.summary).toMatch(/^### ✓ `notes`: \d warnings?\n/);
    expect((await inJob(['run', '--rehearse', 'nowhere', 'x'])).commands).toMatch(/^::error title=assembly-unknown::/);
    expect((await inJob(['resume', 'latest'])).code).toBe(2);
  });

  it('[I-7] reading commands do not command either; the report that is made of commands does', async () => {
    plant(at.root, NOTES);
    await inJob(['run', '--rehearse', '--quiet', 'notes', 'x']);
    for (const words of [
      ['show', 'latest'],
      ['checks', 'latest'],
      ['checks', 'latest', '--json'],
      ['report', 'latest', '--format', 'markdown'],
    ]) {
      const { out, err } = await inJob(words);
      expect(out).toContain('owned');
      expect(obeyed(out + err)).toBe(false);
    }
    expect((await inJob(['report', 'latest', '--format', 'github'])).out).toMatch(/^::error /);
  });

  it('[I-7] a replay is annotated too; a verdict that stayed is no error', async () => {
    plant(at.root, NOTES);
    await inJob(['run', '--rehearse', '--quiet', 'notes', 'x']);
    const { commands, summary } = await inJob(['replay', 'latest', '--quiet']);
    expect(commands).toMatch(/^::warning file=notes\/gate\.sh,line=1,/);
    expect(summary).toContain('replay');
  });

  it('[I-7] a summary stays below 1 MiB, whatever stands in it already', async () => {
    const file = join(at.root, 'full.md');
    writeFileSync(file, 'x'.repeat((1 << 20) - 2_000));
    expect(await appendSummary(file, 'y'.repeat(900))).toBe(null);
    expect(await appendSummary(file, 'y'.repeat(900))).toBe('it is full');
    expect(readFileSync(file).length).toBeLessThan(1 << 20);
    mkdirSync(join(at.root, 'folder'));
    expect(await appendSummary(join(at.root, 'folder'), 'x')).toContain('EISDIR');
  });
});
