import type { Demands } from './demands.js';

/** A number within the bounds, on the steps asked for; `nth` moves on to another one where there is room. */
export function numberFor(demands: Demands, integer: boolean, nth: number): number {
  const steps = integer ? [1, ...demands.multiples] : demands.multiples;
  const step = Math.max(0, ...steps);
  if (step === 0) return between(demands, nth);
  const start = startOf(demands, step);
  const fits = (value: number): boolean => inside(value, demands) && steps.every((each) => onStep(value, each));
  let seen = 0;
  let last = start;
  for (let count = 0; count < TRIED; count += 1) {
    const value = tidy(start + count * step * (start < 0 && demands.least === -Infinity ? -1 : 1));
    if (!fits(value)) continue;
    last = value;
    if (seen === nth) return value;
    seen += 1;
  }
  return last;
}

const TRIED = 2000;

/** The first step inside the lower bound; without one, the last step inside the upper bound when that is below one. */
function startOf({ least, most }: Demands, step: number): number {
  if (least === -Infinity) return most < step ? tidy(Math.floor(most / step) * step) : step;
  return tidy(Math.ceil(least / step) * step);
}

function between(demands: Demands, nth: number): number {
  const { least, most } = demands;
  if (least === -Infinity && most === Infinity) return nth + 1.5;
  if (most === Infinity) return tidy(least + nth + 1);
  if (least === -Infinity) return tidy(most - nth - 1);
  if (least === most) return least;
  return tidy(least + (most - least) / (nth + 2));
}

function inside(value: number, { least, most, above, below }: Demands): boolean {
  return value >= least && value <= most && value > above && value < below;
}

function onStep(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** Without the dust of binary fractions: 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(15)) : value;
}
