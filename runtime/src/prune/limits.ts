/** How many runs a home is to keep, as typed. Pure. */

export interface Limits {
  /** Milliseconds. */
  readonly olderThan?: number;
  /** The newest that are never removed; alone, all others are. */
  readonly keep?: number;
  /** Bytes of all runs together. */
  readonly maxSize?: number;
}

export interface LimitWords {
  readonly olderThan?: string;
  readonly keep?: string;
  readonly maxSize?: string;
}

export type ReadLimits = { readonly ok: true; readonly limits: Limits } | { readonly ok: false; readonly message: string };

export function readLimits({ olderThan, keep, maxSize }: LimitWords): ReadLimits {
  if (olderThan === undefined && keep === undefined && maxSize === undefined) {
    return wrong('Say which runs may go: --older-than 30d, --keep 20 or --max-size 2G. They can be combined; --keep always protects.');
  }
  const age = olderThan === undefined ? undefined : measure(olderThan, AGES);
  if (age === null) return wrong(`--older-than wants a number with m, h, d or w behind it, such as 30d, not ${JSON.stringify(olderThan)}.`);
  const size = maxSize === undefined ? undefined : measure(maxSize, SIZES);
  if (size === null)
    return wrong(`--max-size wants bytes, or a number with K, M, G or T behind it, such as 2G, not ${JSON.stringify(maxSize)}.`);
  if (keep !== undefined && !/^\d{1,9}$/.test(keep)) return wrong(`--keep wants a whole number, not ${JSON.stringify(keep)}.`);
  return {
    ok: true,
    limits: {
      ...(age === undefined ? {} : { olderThan: age }),
      ...(keep === undefined ? {} : { keep: Number(keep) }),
      ...(size === undefined ? {} : { maxSize: size }),
    },
  };
}

const MINUTE = 60_000;
const AGES: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE, w: 7 * 24 * 60 * MINUTE };
const SIZES: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

function measure(text: string, units: Readonly<Record<string, number>>): number | null {
  const [, digits = '', letter = ''] = /^(\d{1,9}(?:\.\d{1,3})?)\s*([A-Za-z]?)(?:i?[Bb])?$/.exec(text) ?? [];
  const unit = units[letter.toLowerCase()];
  return digits === '' || unit === undefined ? null : Math.round(Number(digits) * unit);
}

function wrong(message: string): ReadLimits {
  return { ok: false, message };
}
