import { describe, expect, it } from 'vitest';
import { brokenProgram, gateVerdict } from '../../src/checks/gate-verdict.js';
import type { ProgramEnd } from '../../src/ports/programs.js';

const exited = (code: number): ProgramEnd => ({ ended: 'exited', code });

describe('[K-8] what the end of a gate means', () => {
  it.each<[string, ProgramEnd, number, string]>([
    ['0 passes, whatever was printed', exited(0), 500, 'pass'],
    ['1 fails', exited(1), 10, 'fail'],
    ['1 without a word fails', exited(1), 0, 'fail'],
    ['75 with one byte blocks', exited(75), 1, 'blocked'],
    ['75 in silence is an ordinary failure', exited(75), 0, 'fail'],
    ['255 fails', exited(255), 3, 'fail'],
    ['stopped from outside', { ended: 'stopped' }, 9, 'stopped'],
  ])('[K-8] %s', (_name, end, bytes, verdict) => {
    expect(gateVerdict(end, bytes)).toBe(verdict);
  });

  it.each<[string, ProgramEnd, 'fault' | 'timeout', RegExp]>([
    ['126', exited(126), 'fault', /exit 126/],
    ['127', exited(127), 'fault', /exit 127/],
    ['its clock', { ended: 'timeout' }, 'timeout', /in its time/],
    ['too much output', { ended: 'overflow' }, 'fault', /16 MiB/],
    ['a signal', { ended: 'signalled', signal: 'SIGSEGV' }, 'fault', /SIGSEGV/],
    ['no such interpreter', { ended: 'unstartable', message: 'no such file' }, 'fault', /no such file/],
  ])('[K-8] broken machinery has precedence: %s', (_name, end, broken, why) => {
    const verdict = gateVerdict(end, 100);
    expect(verdict).toEqual(brokenProgram(end));
    expect(verdict).toMatchObject({ broken, why: expect.stringMatching(why) });
  });
});
