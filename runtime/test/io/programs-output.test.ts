import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPipes, type Pipes } from '../../src/io/programs/pipes.js';
import { processesMarked, readProcess } from '../../src/io/process-table.js';
import { DiskError } from '../../src/ports/disk.js';
import { bench, until } from './programs-bench.js';
import { program, scratchFolder } from './scratch.js';

const LIMIT = 16 << 20;
const linux = readProcess(process.pid) !== null;
const noPipes: Pipes = { take: () => Promise.resolve(null) };
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

afterEach(() => vi.unstubAllEnvs());

describe('outputs opened by name', () => {
  const ways = [
    ['> /dev/stderr', 'echo named > /dev/stderr'],
    ['> /dev/stdout', 'echo named > /dev/stdout'],
    ['>> /dev/stderr', 'echo named >> /dev/stderr'],
    ['>> /dev/stdout', 'echo named >> /dev/stdout'],
    ['tee /dev/stderr', 'echo named | tee /dev/stderr > /dev/null'],
    ['a program that opens it', 'echo named | dd of=/dev/stdout 2> /dev/null'],
    ...(linux
      ? [
          ['> /proc/self/fd/2', 'echo named > /proc/self/fd/2'],
          ['> /proc/self/fd/1', 'echo named > /proc/self/fd/1'],
        ]
      : []),
  ] as const;
  const shells = ['sh', 'bash'] as const;

  it.each(shells.flatMap((shell) => ways.map(([name, line]) => ({ shell, name, line }))))(
    '[K-7] $shell: $name loses nothing and keeps its place',
    async ({ shell, line }) => {
      const { programs, request, folder, text } = bench();
      const lines = `echo before\necho error >&2\n${line}\necho after\n${line}\necho last >&2\n`;
      const result = await programs.run(request(program(join(folder, 'gate'), `#!/usr/bin/env ${shell}\n${lines}`)));
      expect(result.end).toEqual({ ended: 'exited', code: 0 });
      expect(text()).toBe('before\nerror\nnamed\nafter\nnamed\nlast\n');
    },
  );

  it('[K-7] keeps the order of 200 lines, whichever way each takes', async () => {
    const { programs, script, text } = bench();
    await programs.run(
      script('i=0; while [ $i -lt 200 ]; do echo o$i; echo e$i >&2; echo n$i > /dev/stderr; echo a$i >> /dev/stdout; i=$((i+1)); done'),
    );
    expect(text()).toBe(Array.from({ length: 200 }, (_, i) => `o${i}\ne${i}\nn${i}\na${i}\n`).join(''));
  });

  it('[K-7] an agent’s command may do the same', async () => {
    const { programs, request, text } = bench();
    await programs.run(request('bash', { args: ['-c', 'echo a; echo b > /dev/stderr; echo c | tee /dev/stderr'], leaveBehind: true }));
    expect(text()).toBe('a\nb\nc\nc\n');
  });
});

describe.each([
  ['a pipe', undefined],
  ['the file, where there are no pipes', noPipes],
])('output through %s', (_, pipes) => {
  it('[K-7 K-15] is captured byte for byte: every byte there is, zero bytes, nothing at all', async () => {
    const { programs, request, script, capture, folder } = bench(pipes);
    const bytes = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (__, i) => i)), randomBytes(200_000), Buffer.alloc(70_000)]);
    writeFileSync(join(folder, 'bytes'), bytes);
    expect(await programs.run(request('cat', { args: [join(folder, 'bytes')] }))).toMatchObject({ bytes: bytes.length });
    expect(digest(readFileSync(capture))).toBe(digest(bytes));
    expect(await programs.run(script('exit 0'))).toMatchObject({ end: { ended: 'exited', code: 0 }, bytes: 0 });
    expect(statSync(capture).size).toBe(0);
  });

  it('[K-8 Q-11] is whole at the limit, and its first bytes past it', async () => {
    const { programs, request, capture, folder } = bench(pipes);
    const bytes = randomBytes(LIMIT + 1);
    writeFileSync(join(folder, 'bytes'), bytes);
    const print = (count: number) =>
      programs.run(request('head', { args: ['-c', String(count), join(folder, 'bytes')], limitBytes: LIMIT }));
    expect(await print(LIMIT)).toMatchObject({ end: { ended: 'exited', code: 0 }, bytes: LIMIT });
    expect(digest(readFileSync(capture))).toBe(digest(bytes.subarray(0, LIMIT)));
    expect(await print(LIMIT + 1)).toMatchObject({ end: { ended: 'overflow' }, bytes: LIMIT });
    expect(digest(readFileSync(capture))).toBe(digest(bytes.subarray(0, LIMIT)));
  });

  it('[K-8] past the limit by far ends the program, also one that says goodbye', async () => {
    const { programs, script, capture } = bench(pipes);
    const result = await programs.run(
      script('trap "echo bye; exit 0" TERM; while :; do head -c 100000 /dev/zero; done', { limitBytes: LIMIT }),
    );
    expect(result).toMatchObject({ end: { ended: 'overflow' }, bytes: LIMIT });
    expect(statSync(capture).size).toBe(LIMIT);
  });

  it('[K-8 K-13] is kept as far as it came when the program is out of time', async () => {
    const { programs, script, text } = bench(pipes);
    const result = await programs.run(script('echo one; echo two >&2; exec sleep 60', { timeoutMs: 500 }));
    expect(result).toMatchObject({ end: { ended: 'timeout' }, bytes: 8 });
    expect(text()).toBe('one\ntwo\n');
  });

  it('[K-7] may end before the program does', async () => {
    const { programs, script, text } = bench(pipes);
    const result = await programs.run(script('echo all; exec > /dev/null 2>&1; sleep 0.2; exit 7'));
    expect(result).toMatchObject({ end: { ended: 'exited', code: 7 }, bytes: 4 });
    expect(text()).toBe('all\n');
  });

  it('[K-7 K-13] of 40 programs at once is kept apart', async () => {
    const { programs, script, folder } = bench(pipes);
    const one = script('head -c 100000 /dev/zero | tr "\\0" "$1"; echo "$2" >&2');
    const runs = Array.from({ length: 40 }, (__, i) => ({ letter: String.fromCharCode(65 + (i % 26)), capture: join(folder, `out-${i}`) }));
    const results = await Promise.all(
      runs.map(({ letter, capture }, i) =>
        programs.run({ ...one, stop: new AbortController().signal, args: [letter, `end ${i}`], capture }),
      ),
    );
    expect(results.map(({ end }) => end)).toEqual(runs.map(() => ({ ended: 'exited', code: 0 })));
    expect(runs.map(({ capture }) => digest(readFileSync(capture)))).toEqual(
      runs.map(({ letter }, i) => digest(Buffer.from(`${letter.repeat(100_000)}end ${i}\n`))),
    );
  });

  it('[L-6] of what was left behind goes on into the capture', async () => {
    const { programs, script, folder, text } = bench(pipes);
    const wait = `until [ -e ${folder}/go ]; do sleep 0.02; done; echo late; : > ${folder}/done`;
    await programs.run(script(`(${wait}) & echo up`, { leaveBehind: true }));
    expect(text()).toBe('up\n');
    writeFileSync(join(folder, 'go'), '');
    await until(() => existsSync(join(folder, 'done')) && text() === 'up\nlate\n');
    await programs.sweep('test');
    expect(text()).toBe('up\nlate\n');
  });
});

describe.runIf(linux)('who left the group and holds the descriptor', () => {
  const away = (folder: string) => ({ PATH: process.env['PATH'] ?? '', TMPDIR: join(folder, 'w-marker') });
  const waiting = (folder: string, then: string) =>
    `setsid sh -c 'trap "" PIPE; : > ${folder}/here; until [ -e ${folder}/go ]; do sleep 0.02; done; ${then}; : > ${folder}/done' &
     until [ -e ${folder}/here ]; do sleep 0.02; done; echo kept`;

  it('[K-13 K-15] does not hang a finished gate, and changes its capture no more', async () => {
    const { programs, script, folder, text } = bench();
    const result = await programs.run(script(waiting(folder, 'echo late'), { env: away(folder) }));
    expect(result).toMatchObject({ end: { ended: 'exited', code: 0 }, bytes: 5 });
    writeFileSync(join(folder, 'go'), '');
    await until(() => existsSync(join(folder, 'done')));
    expect(text()).toBe('kept\n');
    await programs.sweep('test', join(folder, 'w-marker'));
  });

  it('[K-13] does not hang it either by writing without end', async () => {
    const { programs, script, folder } = bench();
    const result = await programs.run(script('setsid yes & echo kept; exit 3', { env: away(folder), limitBytes: 1 << 30 }));
    expect(result.end).toEqual({ ended: 'exited', code: 3 });
    await programs.sweep('test', join(folder, 'w-marker'));
  });

  it('[L-6] an agent’s server goes on: what it writes is kept, until it is swept', async () => {
    const { programs, script, folder, text } = bench();
    await programs.run(script(waiting(folder, 'echo late'), { env: away(folder), leaveBehind: true }));
    writeFileSync(join(folder, 'go'), '');
    await until(() => existsSync(join(folder, 'done')) && text() === 'kept\nlate\n');
    await programs.sweep('test', join(folder, 'w-marker'));
    expect(processesMarked(join(folder, 'w-marker'))).toEqual([]);
  });

  it('[L-6 S-5] may not write for ever', async () => {
    const { programs, script, folder, capture } = bench();
    await programs.run(script('setsid yes & exit 0', { env: away(folder), leaveBehind: true, limitBytes: 100_000 }));
    await until(() => statSync(capture).size === 100_000 && processesMarked(join(folder, 'w-marker')).length === 0);
    expect(statSync(capture).size).toBe(100_000);
  });
});

describe('the pipes', () => {
  it('[K-7 S-5] leave nothing on the disk and are never the same twice', async () => {
    const folder = scratchFolder();
    vi.stubEnv('TMPDIR', folder);
    const pipes = createPipes();
    const taken = await Promise.all(Array.from({ length: 40 }, () => pipes.take()));
    const ends = taken.flatMap((pipe) => (pipe ? [pipe.readEnd, pipe.writeEnd] : []));
    expect(new Set(ends).size).toBe(80);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(linux)('[K-7] are closed with the program, also when it does not start', async () => {
    const folder = scratchFolder();
    vi.stubEnv('TMPDIR', folder);
    const { programs, script, request } = bench(createPipes());
    const held = () => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(`${folder}/`)).length;
    await programs.run(script('exit 0'));
    const before = held();
    for (const end of ['exit 0', 'echo x; exit 75', 'kill -9 $$', 'sleep 60 &']) await programs.run(script(end));
    await programs.run(request('/nowhere/gate'));
    await programs.run(script('echo x', { leaveBehind: true }));
    await until(() => held() === before - 12);
    expect(before).toBe(62);
  });

  it.each([
    ['no mkfifo', { PATH: '/nowhere' }],
    ['no place for them', { TMPDIR: '/nowhere' }],
  ])('[K-7] where there is %s, there are none, and programs run all the same', async (_, env) => {
    const { programs, script, text } = bench(createPipes());
    const gate = script('echo out; echo error >&2; exit 4');
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(await createPipes().take()).toBeNull();
    expect((await programs.run(gate)).end).toEqual({ ended: 'exited', code: 4 });
    expect(text()).toBe('out\nerror\n');
  });

  it.runIf(existsSync('/dev/full'))('[K-7] a capture the disk has no room for is broken machinery, and the program is ended', async () => {
    const { programs, script } = bench();
    const full = programs.run(script('echo x; exec sleep 60', { capture: '/dev/full' }));
    await expect(full).rejects.toThrow(DiskError);
    await expect(full).rejects.toMatchObject({ code: 'ENOSPC' });
  });
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}
