import { describe, expect, it } from 'vitest';
import { DiskError } from '../../src/ports/disk.js';
import type { ProgramRequest } from '../../src/ports/programs.js';
import { createFailingDisk, createMemoryDisk, createScriptedPrograms } from '../../src/testing/index.js';

const request = (file: string, more: Partial<ProgramRequest> = {}): ProgramRequest => ({
  file,
  args: [],
  cwd: '/',
  env: {},
  capture: '/captures/c',
  limitBytes: 10,
  timeoutMs: 1000,
  stop: new AbortController().signal,
  owner: 'test',
  ...more,
});

describe('scripted programs', () => {
  it('[K-7] print into the capture and end as told', async () => {
    const disk = createMemoryDisk();
    const programs = createScriptedPrograms(disk, [
      { file: 'gate.sh', args: ['x'], output: 'no', end: { ended: 'exited', code: 1 }, ms: 5 },
      { file: '/a/loud', output: 'x'.repeat(11) },
    ]);
    expect(await programs.run(request('/a/gate.sh', { args: ['x'] }))).toEqual({ end: { ended: 'exited', code: 1 }, bytes: 2, ms: 5 });
    expect(disk.text('/captures/c')).toBe('no');
    expect(await programs.run(request('/a/loud'))).toMatchObject({ end: { ended: 'overflow' }, bytes: 10 });
    await programs.sweep('test', '/m');
    expect(programs.sweeps).toEqual([{ owner: 'test', marker: '/m' }]);
    expect(() => programs.finish()).not.toThrow();
  });

  it('[K-7] fail on what was not expected and on what never came', async () => {
    const programs = createScriptedPrograms(createMemoryDisk(), [{ file: 'a', args: ['1'] }]);
    await expect(programs.run(request('b'))).rejects.toThrow('Expected a 1 to start, but b did.');
    await expect(programs.run(request('a', { args: ['2'] }))).rejects.toThrow('but a 2 did');
    expect(() => programs.finish()).toThrow('never did: a');
    await programs.run(request('a', { args: ['1'] }));
    await expect(programs.run(request('a'))).rejects.toThrow('Nothing more was expected');
  });
});

describe('the failing disk', () => {
  it('[Q-22] fails exactly the call it was told to, and lists all', async () => {
    const story = async (failing: number | null) => {
      const disk = createFailingDisk(createMemoryDisk({ '/a': 'x' }), failing === null ? null : { call: failing, code: 'ENOSPC' });
      const acts = [
        () => disk.read('/a'),
        () => disk.readHead('/a', 1),
        () => disk.stream('/a')[Symbol.asyncIterator]().next(),
        () => disk.write('/b', 'x'),
        () => disk.copy('/a', '/c'),
        () => disk.hash('/a'),
        () => disk.look('/a'),
        () => disk.real('/a'),
        () => disk.list('/'),
        () => disk.makeFolder('/d'),
        () => disk.rename('/b', '/e'),
        () => disk.measure('/', 100),
        () => disk.remove('/e'),
      ];
      for (const act of acts) await act();
      return disk.calls;
    };
    const calls = await story(null);
    expect(calls).toHaveLength(13);
    for (let call = 1; call <= calls.length; call++) {
      const error = await story(call).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(DiskError);
      expect(`${error instanceof DiskError ? `${error.operation} ${error.path} ${error.code}` : ''}`).toBe(`${calls[call - 1]} ENOSPC`);
    }
  });
});
