/** The words of an invocation in the form in which a record keeps them, so that the same can be asked again (G-11, M-7). */
import type { Inheritable } from '@gated-flow/assembly';
import type { Asked } from '@gated-flow/record';
import type { OptionWords } from './invocation.js';
import { present, readInheritable } from './options/inheritable.js';
import type { Slots } from './slots.js';

export interface Said {
  /** The one stage that the target named. */
  readonly stage?: string | undefined;
  readonly options: OptionWords;
  readonly task: Inheritable;
  readonly slots: Slots;
  /** The file of `--governance`: absolute path. */
  readonly governance?: string | undefined;
  /** Its SHA-256. */
  readonly governanceSha256?: string | undefined;
}

/** What was said at all: whatever was not said is absent. */
export function askedOf({ stage, options, task, slots, governance, governanceSha256 }: Said): Asked {
  const { localContext: typed, ...others } = options;
  const { localContext: set, ...keys } = task;
  return present({
    stage,
    options: filled({ ...others, ...present({ 'local-context': typed }) }),
    task: filled({ ...keys, ...present({ 'local-context': set }) }),
    governance,
    governance_sha256: governanceSha256,
    slots: filled(slots),
  });
}

/** The same read back. A key of a later version, or one that a record makes up, is not taken over. */
export function saidIn(asked: Asked | undefined): Said {
  const { options = {}, task = {}, slots = {}, stage, governance, governance_sha256 } = asked ?? {};
  const { timeout, retries, intelligence, model, reasoning } = options;
  return {
    stage,
    options: present({ timeout, retries, localContext: options['local-context'], intelligence, model, reasoning }),
    task: readInheritable(task).value,
    governance,
    governanceSha256: governance_sha256,
    slots,
  };
}

function filled<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
