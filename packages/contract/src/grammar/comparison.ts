/** `over` and `under` do not hold for the number itself. */
export type Comparison =
  | { readonly at: 'most' | 'least' | 'over' | 'under' | 'exactly'; readonly number: number }
  | { readonly at: 'between'; readonly number: number; readonly and: number };

const WORDS: Readonly<Record<string, 'most' | 'least' | 'over' | 'under' | 'exactly'>> = {
  'at most': 'most',
  'no more than': 'most',
  'not more than': 'most',
  'no longer than': 'most',
  'up to': 'most',
  within: 'most',
  'does not exceed': 'most',
  'do not exceed': 'most',
  'must not exceed': 'most',
  'should not exceed': 'most',
  'not exceed': 'most',
  'at least': 'least',
  'no less than': 'least',
  'no fewer than': 'least',
  'more than': 'over',
  'greater than': 'over',
  'longer than': 'over',
  over: 'over',
  above: 'over',
  exceeds: 'over',
  exceed: 'over',
  'less than': 'under',
  'fewer than': 'under',
  'shorter than': 'under',
  under: 'under',
  below: 'under',
  exactly: 'exactly',
};

const NUMBER = String.raw`\d[\d_]*(?:\.\d+)?`;

/** A piece of an expression: how much, as `cmp` and `n`, or `n` and `m` of a range. `before` and `after` stand around each number. */
export function amount(before = '', after = ''): string {
  const words = Object.keys(WORDS).sort((a, b) => b.length - a.length);
  return `(?:between ${before}(?<low>${NUMBER})${after} and ${before}(?<high>${NUMBER})|(?<cmp>${words.join('|')}) ${before}(?<n>${NUMBER}))${after}`;
}

export type Groups = Readonly<Record<string, string | undefined>>;

/** The comparison that `amount` found; every number times `factor`. */
export function comparisonOf(groups: Groups, factor = 1): Comparison {
  const { low, high, cmp, n } = groups;
  if (low !== undefined && high !== undefined) return { at: 'between', number: numeric(low, factor), and: numeric(high, factor) };
  return { at: WORDS[(cmp ?? '').toLowerCase()] ?? 'exactly', number: numeric(n ?? '0', factor) };
}

/** A product with 15 digits at most, so that 0.1 × 3 is 0.3. */
function numeric(written: string, factor: number): number {
  return Number((Number(written.replaceAll('_', '')) * factor).toPrecision(15));
}

export function holds(value: number, comparison: Comparison): boolean {
  switch (comparison.at) {
    case 'most':
      return value <= comparison.number;
    case 'least':
      return value >= comparison.number;
    case 'over':
      return value > comparison.number;
    case 'under':
      return value < comparison.number;
    case 'exactly':
      return value === comparison.number;
    case 'between':
      return value >= comparison.number && value <= comparison.and;
  }
}
