import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { main } from '../../src/cli/main.js';
import { createClock } from '../../src/io/clock.js';
import { createDisk } from '../../src/io/disk.js';
import { homePath } from '../../src/plan/home.js';
import { plant, stage } from '../run/ground.js';
import { bundle, type Bundle, flow as start, type Start } from './bundle.js';
import { fakeIo } from './io.js';

const NAMES = COMMANDS.map(({ name }) => name);
let built: Bundle;
beforeAll(async () => {
  built = await bundle();
  plant(join(built.folder, 'a'), {
    'ASSEMBLY.md': '---\n---\nHelp.\n',
    'flows/main/FLOW.md': '---\ndescription: A flow\n---\n',
    'flows/main/01-a.md': stage(),
  });
});
afterAll(() => built.remove());

async function typed(words: readonly string[], more: Parameters<typeof fakeIo>[0] = {}) {
  const io = fakeIo({ cwd: built.folder, env: { FLOW_HOME: join(built.folder, 'none'), HOME: built.folder }, ...more });
  return { code: await main(words, io), out: io.printed(), err: io.said() };
}

const flow = (words: readonly string[], how?: Start) => start(built, words, how);

describe('every command', () => {
  it.each(NAMES)('[I-1] %s: help goes to standard output, with examples and exit codes, and is a success', async (name) => {
    for (const words of [
      [name, '--help'],
      [name, '-h'],
      ['help', name],
      [name, 'x', '--help'],
    ]) {
      const { code, out, err } = await typed(words);
      expect([code, err], words.join(' ')).toEqual([0, '']);
      expect(out).toMatch(new RegExp(`^Usage: flow ${name} `));
      expect(out).toContain('Examples:');
      expect(out).toMatch(/Exit codes?:? |exit code/i);
      for (const option of ['--home', '--log-level', '--log-file']) expect(out).toContain(option);
    }
  });

  it.each(NAMES)('[I-1] %s: an option that is none is misuse: standard error alone, exit 2, and the way to the help', async (name) => {
    const { code, out, err } = await typed([name, '--no-such-option']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`flow ${name} --help`);
    expect(err).not.toMatch(/^\s+at /m);
  });

  it.each(NAMES)('[I-1] %s: an option without its value is misuse', async (name) => {
    const { code, out, err } = await typed([name, '--home']);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toBe('');
  });

  it.each(NAMES)('[I-1 I-3] %s: control sequences that are typed are shown, never obeyed', async (name) => {
    const { out, err } = await typed([name, '--\u001b[31m', '\u001b]0;x\u0007', '\u009b1m']);
    expect(`${out}${err}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('[I-1] a mistyped option is answered with the nearest, in a sentence', async () => {
    expect((await typed(['list', '--jsno'])).err).toBe(
      "Unknown option '--jsno'. Did you mean --json?\nflow list --help shows how it is used.\n",
    );
    // Here ./a is taken for the path of a slot, and the request for the target.
    expect((await typed(['run', '--rehearese', './a', 'nothing-here'])).err).toContain('Did you mean --rehearse?');
    expect((await typed(['check', './a', '--jsno'])).out).toContain('Did you mean --json?');
    expect((await typed(['gate', './a', '--inptu', 'x'])).err).toContain('Did you mean --input?');
  });

  it.each(['run', 'check', 'gate', 'stage', 'watch'])('[I-1 O-7] %s: what is like no option names its own help', async (name) => {
    const target = name === 'stage' ? './a/flows/main/01-a.md' : './a';
    const { out, err } = await typed([name, target, '--xyzxyzxyz', 'x']);
    expect(`${out}${err}`).toContain(`flow ${name} --help lists the options.`);
  });

  it('[I-2 I-4] what has a document prints nothing else on standard output, whatever happens', async () => {
    const words: readonly (readonly string[])[] = [
      ['check', './a', '--json'],
      ['check', './none', '--json'],
      ['run', './none', 'x', '--json', '--rehearse'],
      ['gate', './a', '--json'],
      ['new', './a', '--json'],
      ['doctor', '--offline', '--json'],
      ['models', '--json'],
    ];
    for (const each of words) {
      const document: { kind: string; version: number } = JSON.parse((await typed(each)).out);
      expect([document.kind, document.version], each.join(' ')).toEqual([expect.stringMatching(/^flow\.\w+$/), 1]);
    }
  });

  it('[O-3] after -- nothing is an option', async () => {
    expect((await typed(['check', '--', './a'])).code).toBe(0);
    expect((await typed(['show', '--', '--help'])).code).toBe(1);
    expect((await typed(['check', '--', '--help'])).err).toBe('');
  });

  it('[O-6] nothing is made in a home by a command that only reads', async () => {
    for (const words of [
      ['list'],
      ['show', 'latest'],
      ['check', './a'],
      ['graph', './a'],
      ['prune', '--keep', '1'],
      ['models'],
      ['doctor', '--offline'],
    ])
      await typed(words);
    expect(existsSync(join(built.folder, 'none'))).toBe(false);
  });
});

describe('the process', () => {
  it.each(
    [['list'], ['doctor', '--offline'], ['graph', './a'], ['completion', 'bash'], ['check', './a'], ['run', '--help']].map((words) => [
      words,
    ]),
  )('[I-4] %j: a reader that leaves is quiet, and an input nobody writes to is not waited for', async (words) => {
    const { err } = await flow(words, { open: true, meet: (child) => child.stdout?.destroy() });
    expect(err.replace(/^There is no run yet in .*\n/, '')).toBe('');
  });

  it('[I-3] neither colour nor cursor movement reaches what is no terminal; FORCE_COLOR asks for colour, NO_COLOR wins', async () => {
    const words = ['run', './a', 'x', '--rehearse'];
    const colored = /\u001b\[\d+m/;
    const quiet: readonly Record<string, string>[] = [{}, { NO_COLOR: '1', FORCE_COLOR: '1' }, { TERM: 'dumb' }, { CI: 'true' }];
    for (const env of quiet) {
      const { code, out, err } = await flow(words, { env });
      expect(code, err).toBe(0);
      expect(`${out.toString()}${err}`).not.toContain('\u001b');
    }
    const forced = await flow(['doctor', '--offline'], { env: { FORCE_COLOR: '1' } });
    expect(forced.out.toString()).toMatch(colored);
  });

  it('[O-6 S-6] folders are those of XDG, absolute only, and ~/.local/share without them', () => {
    expect(homePath({ env: { HOME: '/u', XDG_DATA_HOME: '/d' }, cwd: '/c' })).toBe('/d/flow');
    expect(homePath({ env: { HOME: '/u', XDG_DATA_HOME: 'd' }, cwd: '/c' })).toBe('/u/.local/share/flow');
    expect(homePath({ env: { HOME: '/u', XDG_DATA_HOME: '/d', FLOW_HOME: '/f' }, cwd: '/c' })).toBe('/f');
  });

  it('[R-2] time stamps are ISO 8601 in UTC, whatever the time zone', async () => {
    const { code } = await flow(['run', './a', 'x', '--rehearse', '-q'], {
      env: { TZ: 'Asia/Kathmandu', FLOW_HOME: join(built.folder, 'utc') },
    });
    expect(code).toBe(0);
    const [name = ''] = readdirSync(join(built.folder, 'utc/runs'));
    const [first = ''] = readFileSync(join(built.folder, 'utc/runs', name, 'record.jsonl'), 'utf8').split('\n');
    const { ts }: { ts: string } = JSON.parse(first);
    expect(ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(ts) - createClock().now())).toBeLessThan(10 * 60_000);
    expect(name.slice(0, 13)).toBe(ts.slice(0, 13).replaceAll(':', '-'));
  });

  it('[I-12 I-1] without a terminal nothing is asked', async () => {
    mkdirSync(join(built.folder, 'home/runs'), { recursive: true });
    const { code, out, err } = await flow(['prune', '--keep', '0'], { open: true });
    expect([0, 1, 2]).toContain(code);
    expect(`${out.toString()}${err}`).not.toMatch(/\[y\/n\]/i);
  });

  it('[A-2] a file name that is no UTF-8 is refused by name, and no stack is shown', async () => {
    const odd = Buffer.concat([Buffer.from(join(built.folder, 'odd/')), Buffer.from([0x66, 0xff, 0x6f])]);
    plant(join(built.folder, 'odd'), {
      'ASSEMBLY.md': '---\n---\nHelp.\n',
      'flows/main/FLOW.md': '---\ndescription: x\n---\n',
      'flows/main/01-a.md': stage(),
    });
    writeFileSync(odd, 'x');
    const { code, out } = await typed(['check', './odd']);
    expect([0, 2]).toContain(code);
    expect(out).not.toMatch(/\n\s+at |TypeError/);
    expect(await createDisk().real(join(built.folder, 'odd'))).not.toBeNull();
  });
});

describe('docs/conventions.md', () => {
  const page = join(import.meta.dirname, '../../../docs/conventions.md');
  const rows = existsSync(page) ? [...readFileSync(page, 'utf8').matchAll(/^\| (?!Convention|---)(.+?) \| (.+?) \| (.+) \|$/gm)] : [];

  it('[I-1] has at least twenty conventions, and every test that it names is there', () => {
    expect(rows.length).toBeGreaterThanOrEqual(20);
    for (const [, convention = '', , shown = ''] of rows) {
      const tests = shown.split('<br>').map((one) => /^\[([\w-]+)\]\((\.\.\/[\w/.-]+)\): (.+)$/.exec(one));
      for (const test of tests) {
        expect(test, `${convention}: ${shown}`).not.toBeNull();
        const [, name = '', file = '', words = ''] = test ?? [];
        expect(basename(file), convention).toBe(`${name}.test.ts`);
        const source = readFileSync(join(dirname(page), file), 'utf8').replaceAll("\\'", "'");
        expect(
          source.split('\n').some((line) => /\[[A-Z]-\d/.test(line) && line.includes(words)),
          `${file}: ${words}`,
        ).toBe(true);
      }
    }
  });
});
