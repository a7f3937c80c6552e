import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedactor } from '@gated-flow/text';
import { describe, expect, it } from 'vitest';
import { bash } from '../../src/agent/tools/bash.js';
import { DiskError } from '../../src/ports/disk.js';
import { createFailingDisk } from '../../src/testing/index.js';
import { leapingClock } from '../io/leaping-clock.js';
import { scratchFolder } from '../io/scratch.js';
import { memoryBench, realBench } from './bench.js';

describe('bash, with programs that follow a script', () => {
  it("[L-6] starts bash in $PWD as the agent's own, for 120 seconds", async () => {
    const { programs, call } = memoryBench([{ file: 'bash', args: ['-c', 'ls'], output: 'a\nb' }]);
    expect(await call(bash, { command: 'ls' })).toEqual({ output: 'a\nb\n[exit code 0]', exit: 0 });
    expect(programs.requests[0]).toMatchObject({
      cwd: '/work/tree',
      timeoutMs: 120_000,
      leaveBehind: true,
      owner: 'agent',
      limitBytes: 16 << 20,
    });
    programs.finish();
  });

  it('[L-6] never goes past what is left of the clock', async () => {
    const { programs, call } = memoryBench([{ file: 'bash' }, { file: 'bash' }], { remainingMs: () => 5_000 });
    await call(bash, { command: 'true', seconds: 900 });
    await call(bash, { command: 'true', seconds: 0.5 });
    expect(programs.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([5_000, 500]);
  });

  it('[L-6] takes sh where there is no bash', async () => {
    const { programs, call } = memoryBench([
      { file: 'bash', end: { ended: 'unstartable', message: 'no bash' } },
      { file: 'sh', args: ['-c', 'exit 3'], end: { ended: 'exited', code: 3 } },
    ]);
    expect(await call(bash, { command: 'exit 3' })).toEqual({ output: '(no output)\n[exit code 3]', exit: 3 });
    programs.finish();
  });

  it.each([
    [{ ended: 'timeout' }, '[not finished after 7 seconds, and ended]'],
    [{ ended: 'signalled', signal: 'SIGSEGV' }, '[ended by SIGSEGV]'],
    [{ ended: 'stopped' }, '[ended before it was finished]'],
  ] as const)('[L-6] %j is an error result', async (end, closing) => {
    const { call } = memoryBench([{ file: 'bash', end, output: 'partly\n' }]);
    expect(await call(bash, { command: 'x', seconds: 7 })).toEqual({ output: `partly\n${closing}`, error: true });
  });

  it('[L-6 P-2] a shell that does not start is told without a path', async () => {
    const unstartable = { ended: 'unstartable', message: 'The working directory /work/tree does not exist.' } as const;
    const { call } = memoryBench([
      { file: 'bash', end: unstartable },
      { file: 'sh', end: unstartable },
    ]);
    const { output, error } = await call(bash, { command: 'x' });
    expect(error).toBe(true);
    expect(output).toContain('Does $PWD still exist?');
    expect(output).not.toContain('/work/tree');
  });

  it.each(['', '  \n', 'a\0b', `echo ${'x'.repeat(200_000)}`])('[L-6] refuses a command that no shell could take', async (command) => {
    const { call, programs } = memoryBench();
    expect(await call(bash, { command })).toMatchObject({ error: true });
    expect(programs.requests).toEqual([]);
  });

  it('[L-6] shows 30,000 bytes, head and tail, and keeps the whole under $TMP', async () => {
    const printed = `${'é'.repeat(20_000)}the middle${'z'.repeat(20_000)}`;
    const { disk, call } = memoryBench([{ file: 'bash', output: printed }]);
    const { output } = await call(bash, { command: 'x' });
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(30_000 + '\n[exit code 0]'.length);
    const notice = /\n\[60010 bytes of output, (\d+) left out here; the whole is in \$TMP\/(output-[0-9a-f]{6}\.txt)\]\n/.exec(output);
    expect(disk.text(`/nest/tmp/${notice?.[2]}`)).toBe(printed);
    expect(output).not.toContain('\ufffd');
    expect(await disk.list('/nest/captures')).toEqual([]);
  });

  it('[L-6] leaves no file behind for what was shown whole', async () => {
    const { disk, call } = memoryBench([{ file: 'bash', output: 'x' }]);
    await call(bash, { command: 'x' });
    expect([await disk.list('/nest/captures'), await disk.list('/nest/tmp')]).toEqual([[], ['.a']]);
  });

  it('[L-6] when $TMP is gone the whole is lost, and that is said', async () => {
    const { disk, call } = memoryBench([{ file: 'bash', output: 'x'.repeat(40_000), does: () => disk.remove('/nest/tmp') }]);
    expect((await call(bash, { command: 'rm -rf $TMP' })).output).toContain('the whole could not be kept');
  });

  it('[S-2] masks secrets before the output is cut', async () => {
    const secret = 'sk-0123456789abcdef';
    const { call } = memoryBench([{ file: 'bash', output: `${'x'.repeat(17_900)}${`${secret} `.repeat(20)}${'y'.repeat(30_000)}` }], {
      redactor: createRedactor([secret]),
    });
    const { output } = await call(bash, { command: 'x' });
    expect(output).toContain('***');
    expect(output).not.toContain('sk-');
  });

  it('[L-6 Q-22] a capture that cannot be read is broken machinery', async () => {
    const bench = memoryBench([{ file: 'bash', output: 'x' }]);
    const disk = createFailingDisk(bench.disk, { call: 1, code: 'EIO' });
    await expect(bash.run({ command: 'x' }, { ...bench.context, disk })).rejects.toBeInstanceOf(DiskError);
  });
});

describe('bash, with real programs', () => {
  it('[L-6] bash it is, with empty input, both outputs in order, each call from $PWD', async () => {
    const { call } = realBench();
    const { output } = await call(bash, { command: 'cd /; [[ -n $BASH ]] && echo bash; cat; echo e >&2; echo o; exit 2' });
    expect(output).toBe('bash\ne\no\n[exit code 2]');
    expect((await call(bash, { command: '[ "$(pwd)" = "$PWD" ] && touch here && ls' })).output).toBe('here\n[exit code 0]');
  });

  it('[L-6] ends what takes too long', async () => {
    const up = join(scratchFolder(), 'up');
    const { call } = realBench({ clock: leapingClock(() => existsSync(up)) });
    expect(await call(bash, { command: `echo up; touch ${up}; sleep 60`, seconds: 0.5 })).toEqual({
      output: 'up\n[not finished after 0.5 seconds, and ended]',
      error: true,
    });
  });

  it('[L-6] ends what prints more than 16 MiB, keeps that much and says so', async () => {
    const { call, slots } = realBench();
    const { output, error } = await call(bash, { command: 'yes' });
    expect(error).toBe(true);
    expect(output).toContain('[more than 16777216 bytes of output, and ended; only the first 16777216 are kept]');
    const [kept = ''] = readdirSync(slots.TMP);
    expect(readFileSync(join(slots.TMP, kept)).length).toBe(16_777_216);
  });

  it('[L-6] what it left running lives until it is swept', async () => {
    const { call, slots, programs } = realBench();
    const marker = join(slots.PWD, 'alive');
    await call(bash, { command: '(while :; do touch alive; sleep 0.02; done) > /dev/null 2>&1 &' });
    while (!existsSync(marker)) await pause(5);
    rmSync(marker);
    while (!existsSync(marker)) await pause(5);
    await programs.sweep('agent');
    rmSync(marker, { force: true });
    expect((await call(bash, { command: 'ls' })).output).toBe('(no output)\n[exit code 0]');
  });
});
