import type { ProcessMark } from './processes.js';

/**
 * Sends a process what Ctrl-C sends it, if it is still the very one that was marked. `unsure`: the system does not tell one process
 * from a later one with the same number, and nothing was sent. `refused`: it belongs to somebody else.
 */
export type Interrupt = (mark: ProcessMark) => 'sent' | 'gone' | 'unsure' | 'refused';
