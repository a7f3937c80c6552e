import type { ProgramEnd } from '../ports/programs.js';

export type GateVerdict = 'pass' | 'fail' | 'blocked' | { readonly broken: 'fault' | 'timeout'; readonly why: string } | 'stopped';

/** Exit code that, with evidence, says that something outside blocks the run. */
const BLOCKED = 75;

/** What a gate's end means (K-8). Broken machinery takes precedence over everything the gate said. */
export function gateVerdict(end: ProgramEnd, bytes: number): GateVerdict {
  const broken = brokenProgram(end);
  if (broken) return broken;
  if (end.ended !== 'exited') return 'stopped';
  if (end.code === 0) return 'pass';
  return end.code === BLOCKED && bytes > 0 ? 'blocked' : 'fail';
}

/** In a sentence without its subject, why a program cannot be said to have given an answer, for gates and hooks alike; null when it did, or was stopped from outside. */
export function brokenProgram(end: ProgramEnd): { readonly broken: 'fault' | 'timeout'; readonly why: string } | null {
  switch (end.ended) {
    case 'timeout':
      return { broken: 'timeout', why: 'did not finish in its time.' };
    case 'overflow':
      return { broken: 'fault', why: 'printed more than 16 MiB.' };
    case 'signalled':
      return { broken: 'fault', why: `was killed by ${end.signal}.` };
    case 'unstartable':
      return { broken: 'fault', why: `could not be started: ${end.message}` };
    case 'exited':
      return end.code === 126 || end.code === 127 ? { broken: 'fault', why: `could not be executed (exit ${end.code}).` } : null;
    case 'stopped':
      return null;
  }
}
