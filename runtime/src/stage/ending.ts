import { RECORD } from '@gated-flow/record';
import type { Stop, StopReason } from '../ports/stop.js';
import type { Ending } from './decide.js';

/** A reason to end that is the machinery's, not the work's: exit 2 (E-1). */
export function fault(reason: string, failed?: string): Ending {
  return { cause: 'fault', exit: 2, reason, ...(failed === undefined ? {} : { failed }) };
}

/** What a stop from outside makes of whatever it met (E-1, E-2). */
export function stopped(reason: StopReason): Ending {
  if (reason.stop === 'halt') return { cause: 'rejected', exit: 1, failed: 'contract', reason: reason.reason };
  return reason.stop === 'signal'
    ? { cause: 'signal', exit: 128 + reason.signal, reason: `${reason.name} was received.` }
    : { cause: 'timeout', exit: 1, reason: `The run reached its deadline of ${reason.seconds} s (--deadline).` };
}

/** The same for a program that was ended because the run is being stopped; without a reason that is a defect of ours and throws. */
export function stoppedBy(stop: Stop): Ending {
  const reason = stop.reason();
  if (reason === null) throw new Error('a program was stopped, and nothing stops the run');
  return stopped(reason);
}

/** Nothing that a record says can be relied on once somebody else has written to it. */
export function recordChanged(): Ending {
  return fault('The record was changed by someone else while the run was going on.', RECORD);
}
