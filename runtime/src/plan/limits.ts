import type { HomeConfig } from './plan.js';
import type { Invocation } from './invocation.js';
import type { RunLimits } from './prepare.js';
import { TIMEOUT_MAX, present } from './options/inheritable.js';
import { commandInvalid, found, refused, type Resolved } from './refusal.js';

/** The limits that the command sets on the whole run (I-5). */
export function readLimits(invocation: Invocation): Resolved<RunLimits> {
  const deadline = typed(invocation.deadline);
  const maxCost = typed(invocation.maxCost);
  const refusals = [];
  if (deadline !== undefined && readDeadline(deadline) === null) {
    refusals.push(
      commandInvalid(
        'value-invalid',
        `--deadline must be seconds, more than 0 and at most ${TIMEOUT_MAX}; it is "${invocation.deadline}".`,
      ),
    );
  }
  if (maxCost !== undefined && readMaxCost(maxCost) === null) {
    refusals.push(commandInvalid('value-invalid', `--max-cost must be US dollars, more than 0; it is "${invocation.maxCost}".`));
  }
  if (refusals.length > 0) return refused(...refusals);
  return found(present({ deadlineSeconds: deadline, maxCostUsd: maxCost }));
}

/** The command's limits, else the home's. */
export function withHomeLimits(limits: RunLimits, { deadline, maxCost }: HomeConfig): RunLimits {
  return { ...present({ deadlineSeconds: deadline, maxCostUsd: maxCost }), ...limits };
}

export function readDeadline(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value <= TIMEOUT_MAX ? value : null;
}

export function readMaxCost(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null;
}

/** NaN for text that is no decimal number. */
function typed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : NaN;
}
