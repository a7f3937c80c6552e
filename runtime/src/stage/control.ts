import { join } from 'node:path';
import type { ControlEffect, Mark } from '../agent/control/control.js';
import type { Left } from '../agent/held.js';
import { terminalView } from '../checks/view.js';
import { attemptFolder } from './candidate.js';
import type { Ending } from './decide.js';
import { fault } from './ending.js';
import type { StageScope } from './scope.js';

export interface ControlCall {
  readonly tool: string;
  readonly effect: ControlEffect;
  readonly attempt: number;
}

/** What a control call asked for: the mark counts, `$TMP` is emptied, or the work ends: answered, selected, or with its words kept (L-8 to L-11). Rejects with a DiskError. */
export async function carryOut(scope: StageScope, marks: Map<number, Mark>, { tool, effect, attempt }: ControlCall): Promise<Left | null> {
  const { ports, recorder, redactor, where } = scope;
  if (effect.recorded) recorder.append({ event: 'tool_call', ...where, retry: attempt, tool, ...redactor.json(effect.recorded) });
  if (effect.mark) marks.set(effect.mark.item, effect.mark.mark);
  if (effect.cleanTemp) {
    await ports.disk.remove(scope.tmp);
    await ports.disk.makeFolder(scope.tmp);
  }
  if (effect.answer) return { end: 'answered', answer: effect.answer };
  if (effect.selection) return { end: 'selected', selection: effect.selection };
  if (!effect.leave) return null;
  const { cause, reason } = effect.leave;
  const capture = join(attemptFolder(scope, attempt), `${cause}.txt`);
  await ports.disk.write(capture, reason);
  const shown = terminalView(Buffer.from(reason), redactor);
  return { end: 'left', ending: { cause, exit: cause === 'refused' ? 1 : 2, reason: shown, capture } };
}

/** An ending when `$TMP` has outgrown its bound (S-5). Rejects with a DiskError. */
export async function overgrown({ ports, tmp, assembly }: StageScope): Promise<Ending | null> {
  const bytes = await ports.disk.measure(tmp, assembly.tmpMaxBytes);
  return bytes > assembly.tmpMaxBytes ? fault(`$TMP holds more than ${assembly.tmpMaxBytes} bytes (tmp-max-bytes).`) : null;
}
