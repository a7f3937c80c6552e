import type { Interrupt } from '../ports/interrupt.js';
import { codeOf } from './disk/guard.js';
import { processes } from './processes.js';

/** The port on the real system. */
export const interrupt: Interrupt = (mark) => {
  if (mark.started === null || mark.boot === null) return 'unsure';
  if (!processes.alive(mark)) return 'gone';
  try {
    process.kill(mark.pid, 'SIGINT');
    return 'sent';
  } catch (error) {
    return codeOf(error) === 'EPERM' ? 'refused' : 'gone';
  }
};
