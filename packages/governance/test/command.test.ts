import { loadShellReader } from '@gated-flow/shell';
import type { ShellReader } from '@gated-flow/shell';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { matchCommands, readCommands } from '../src/command/index.js';
import type { CommandReading } from '../src/command/index.js';
import { argumentForms } from '../src/command/options.js';

let reader: ShellReader;
beforeAll(async () => {
  reader = await loadShellReader();
});

async function read(text: string): Promise<CommandReading> {
  return readCommands({ text, read: await reader.read(text, { guess: true }) });
}

/** How a rule on `rm -r` sees the text. */
async function removal(text: string): Promise<'sure' | 'perhaps' | 'none'> {
  const matches = matchCommands(await read(text), { program: (name) => name === 'rm', args: (joined) => /(?:^| )-\w*r/.test(joined) });
  return matches[0]?.certainty ?? 'none';
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Each makes a text that runs the one it is given. */
const WRAPPERS: Readonly<Record<string, (text: string) => string>> = {
  'a list': (text) => `ls; ${text}`,
  'a pipe': (text) => `true | ${text}`,
  'a subshell': (text) => `(${text})`,
  'a block': (text) => `{ ${text}; }`,
  'a condition': (text) => `if ls; then ${text}; fi`,
  'a loop': (text) => `while ls; do ${text}; done`,
  'a function': (text) => `f() { ${text}; }; f`,
  'a substitution': (text) => `echo "$(${text})"`,
  'a process substitution': (text) => `cat <(${text})`,
  'bash -c': (text) => `bash -c ${quoted(text)}`,
  'sh -ec': (text) => `sh -ec ${quoted(text)}`,
  eval: (text) => `eval ${quoted(text)}`,
  trap: (text) => `trap ${quoted(text)} EXIT`,
  env: (text) => `env A=1 bash -c ${quoted(text)}`,
  sudo: (text) => `sudo -n sh -c ${quoted(text)}`,
  nohup: (text) => `nohup sh -c ${quoted(text)} &`,
  timeout: (text) => `timeout -k 1 5 sh -c ${quoted(text)}`,
  xargs: (text) => `ls | xargs -n1 sh -c ${quoted(text)} _`,
  find: (text) => `find . -exec sh -c ${quoted(text)} \\;`,
  ssh: (text) => `ssh -p 22 host ${quoted(text)}`,
  watch: (text) => `watch -n 1 ${quoted(text)}`,
  'echo into a shell': (text) => `echo ${quoted(text)} | sh`,
  'printf into a shell': (text) => `printf '%s' ${quoted(text)} | bash -s`,
  'a here-string': (text) => `bash <<< ${quoted(text)}`,
  'a here-document': (text) => `bash <<'EOT'\n${text}\nEOT`,
  'a variable': (text) => `X=${quoted(text)}; eval "$X"`,
  'an alias': (text) => `alias go=${quoted(text)}; go`,
  git: (text) => `git -c alias.x=${quoted(`!${text}`)} x`,
};

describe('the reader of commands', () => {
  it.each(Object.entries(WRAPPERS))('[V-3] %s hides nothing', async (_, wrap) => {
    expect(await removal(wrap('rm -rf build'))).toBe('sure');
    expect(await removal(wrap('echo rm -rf build'))).toBe('none');
  });

  it('[V-3] wrappers in wrappers never make a decision weaker', async () => {
    const names = fc.constantFrom(...Object.keys(WRAPPERS));
    await fc.assert(
      fc.asyncProperty(fc.array(names, { minLength: 2, maxLength: 3 }), async (chosen) => {
        const text = chosen.reduce((inner, name) => WRAPPERS[name]?.(inner) ?? inner, 'rm -rf build');
        expect(await removal(text), text).not.toBe('none');
      }),
      { numRuns: 60 },
    );
  });

  it('[V-3] any text is read', async () => {
    const piece = fc.constantFrom(
      'rm -rf x',
      '$(',
      ')',
      '`',
      '"',
      "'",
      '\\',
      '\n',
      '<<EOF',
      'EOF',
      '|',
      ';',
      '&&',
      '{',
      '}',
      '${X',
      '$X',
      'X=',
      '((',
      'sudo ',
      'xargs ',
      'eval ',
      'sh -c ',
      '\0',
      '\ud800',
      'ｒｍ',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((parts) => parts.join(' ')),
        ),
        async (text) => {
          const { commands, unread } = await read(text);
          for (const { program, args } of commands) expect([program.includes('/'), args.length > 0]).toEqual([false, true]);
          for (const { why } of unread) expect(why).toMatch(/^\S[^]*\.$/);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    ['a megabyte of arguments', `rm -rf ${'x '.repeat(500_000)}`, 'perhaps'],
    ['a megabyte of another program, and then it', `${'y '.repeat(500_000)}; rm -rf x`, 'perhaps'],
    ['a megabyte of its name', 'rm '.repeat(350_000), 'perhaps'],
    ['ten thousand parentheses', `${'('.repeat(10_000)}rm -rf x${')'.repeat(10_000)}`, 'perhaps'],
    ['ten thousand substitutions', `${'$('.repeat(10_000)}rm -rf x${')'.repeat(10_000)}`, 'perhaps'],
    ['ten thousand blocks', `${'{ '.repeat(10_000)}rm -rf x${'; }'.repeat(10_000)}`, 'perhaps'],
    ['a thousand of sudo', `${'sudo '.repeat(1_000)}rm -rf x`, 'perhaps'],
    [
      'aliases that double',
      `${Array.from({ length: 40 }, (_, i) => `alias a${i}='a${i + 1}; a${i + 1}'`).join('\n')}\nalias a40='rm -rf x'\na0`,
      'perhaps',
    ],
    ['an alias of itself', "alias a='b x' b='a x'; a; rm -rf x", 'perhaps'],
    ['variables with many values', `${Array.from({ length: 2_000 }, (_, i) => `X=v${i}`).join(';')}; $X; rm -rf x`, 'sure'],
    ['a text in a text in a text', ['eval ', 'eval ', 'eval '].reduce((text, wrap) => wrap + quoted(text), 'rm -rf x'), 'sure'],
  ])('[V-3] %s is read in bounded time', async (_, text, expected) => {
    expect(await removal(text)).toBe(expected);
  });

  it('[V-3] what cannot be read says why', async () => {
    const why = async (text: string) => (await read(text)).unread.map((part) => part.why);
    expect(await why('if')).toEqual([expect.stringMatching(/^The shell text cannot be parsed: /)]);
    expect(await why('$X')).toEqual(['It cannot be told which program this starts.']);
    expect(await why("python3 -c '1'")).toEqual(['The program text given to python3 is not read.']);
    expect(await why('python3 < a')).toEqual(['What python3 reads as its program is not read.']);
    expect(await why('ｒｍ x')).toEqual(['The program has a name with look-alike or invisible characters.']);
    expect(await why('docker exec box sh -c "$X"')).toEqual(['What docker starts is not read.']);
    expect(await why('ls')).toEqual([]);
  });

  it('[V-3] all parts of a matcher have to fit one command', async () => {
    const reading = await read('cat .env; grep -r x src > "out.txt"');
    const fits = (program: string, path: string) =>
      matchCommands(reading, { program: (name) => name === program, path: (name) => name === path }).length > 0;
    expect([fits('cat', '.env'), fits('grep', '.env'), fits('grep', 'out.txt'), fits('grep', 'x'), fits('cat', 'out.txt')]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(matchCommands(reading, { text: (text) => text.includes('> out.txt') })).toEqual([
      { certainty: 'sure', matched: 'grep -r x src > out.txt' },
    ]);
  });

  it.each([
    ['git', '-C a -c b=c --no-pager push x', ['-C a -c b=c --no-pager push x', 'push x']],
    ['git', 'push x', ['push x']],
    ['git', '-c', ['-c', '']],
    ['npm', '--prefix a install', ['--prefix a install', 'a install', 'install']],
    ['cargo', '+nightly build', ['+nightly build', 'build']],
    ['ls', '', ['']],
  ])('[V-3] %s %s has these forms of arguments', (program, args, expected) => {
    expect(argumentForms(program, args === '' ? [] : args.split(' '))).toEqual(expected.map(String));
  });
});
