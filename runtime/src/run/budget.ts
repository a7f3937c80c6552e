/** The run-wide cost limit (I-5): what was spent, children included, against what may be. USD. */
export interface Budget {
  add(costUsd: number | null): void;
  /** A sentence when the limit is reached; asked before each call of a model. */
  exceeded(): string | null;
  readonly spentUsd: number;
}

export function openBudget(limitUsd: number | undefined): Budget {
  let spent = 0;
  return {
    add(costUsd) {
      spent += costUsd ?? 0;
    },
    exceeded() {
      if (limitUsd === undefined || spent < limitUsd) return null;
      return `The run has spent $${spent.toFixed(4)}, which reaches its limit of $${limitUsd} (--max-cost).`;
    },
    get spentUsd() {
      return spent;
    },
  };
}
