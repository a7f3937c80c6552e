import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { reportFault } from '../../src/cli/fault.js';
import { main } from '../../src/cli/main.js';
import { DiskError } from '../../src/ports/disk.js';
import { fakeIo } from './io.js';

async function say(...words: string[]) {
  const io = fakeIo();
  return { exit: await main(words, io), out: io.printed(), err: io.said() };
}

it.each([[[]], [['--help']], [['-h']], [['help']]])('[I-1] %j is the help: short, with examples, every command', async (words) => {
  const { exit, out, err } = await say(...words);
  expect(exit).toBe(0);
  expect(err).toBe('');
  expect(out).toContain('Examples:');
  expect(out.split('\n').length).toBeLessThan(COMMANDS.length + 16);
  for (const { name, summary } of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +${summary.replace(/[()|]/g, '\\$&')}$`, 'm'));
});

it('[I-1] a mistyped command is answered with the nearest', async () => {
  expect(await say('chekc')).toEqual({ exit: 2, out: '', err: 'There is no command "chekc". Did you mean flow check?\n' });
  expect(await say('zzzzzz')).toEqual({ exit: 2, out: '', err: 'There is no command "zzzzzz". flow --help lists the commands.\n' });
  expect((await say('--json')).err).toContain('Options come after the command');
});

it('[I-1 I-3] nothing typed reaches the terminal with control sequences', async () => {
  const { err } = await say('x\u001b[2J\u009b1m\u202ey');
  expect(err).not.toMatch(/[\u001b\u009b\u202e]/);
});

describe('a command', () => {
  it.each([[['check', '--help']], [['help', 'check']]])('[I-1] %j explains it, with examples', async (words) => {
    const { exit, out } = await say(...words);
    expect(exit).toBe(0);
    expect(out).toContain('Usage: flow check [options] <target> [request...]');
    expect(out).toContain('Examples:');
    expect(out).toContain('--log-level <level>');
  });

  it.each([
    [['check'], 'Missing required argument'],
    [['check', 'x', '--log-level', 'loud'], 'Allowed choices are debug, info, warn, error'],
    [['check', 'x', '-z'], "Unknown option '-z'"],
    [['check', 'x', '--retries'], 'argument missing'],
  ])('[I-1] %j is misuse: exit 2, a sentence, where the help is', async (words, message) => {
    const { exit, out, err } = await say(...words);
    expect(exit).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(err).toContain('flow check --help');
  });
});

describe('what nobody expected', () => {
  it('[I-1] is one sentence with how to report it; the stack only when debugging', async () => {
    const io = fakeIo();
    expect(await reportFault(new Error('the roof\nfell'), ['check', 'x'], io)).toBe(2);
    expect(io.said()).toBe(
      'flow check broke on a fault of its own: the roof. Please report it with what the same command prints under --log-level debug.\n',
    );
    const debugging = fakeIo();
    await reportFault(new Error('the roof'), ['check', 'x', '--log-level', 'debug'], debugging);
    expect(debugging.said()).toContain('main.test.ts');
  });

  it('[I-1] a file system that refuses is not ours to report', async () => {
    const io = fakeIo();
    await reportFault(new DiskError('write', '/x/\u001b[1my', 'ENOSPC'), ['run'], io);
    expect(io.said()).toBe('The file system refused: write /x/\\x1b[1my (ENOSPC).\n');
    const closed = fakeIo();
    await reportFault(new DiskError('make folder', '/x/runs', 'EROFS'), ['run'], closed);
    expect(closed.said()).toBe(
      'The file system refused: make folder /x/runs (EROFS). flow doctor looks at every place that is written to; --home DIR names another home.\n',
    );
    const forbidden = fakeIo();
    const refusal = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open', path: '/x/record\n.jsonl' });
    expect(await reportFault(refusal, ['show', 'latest'], forbidden)).toBe(2);
    expect(forbidden.said()).toMatch(/^The file system refused: open \/x\/record\\x0a\.jsonl \(EACCES\)\. You have no permission/);
  });
});
