import type { Contract } from '@gated-flow/contract';

const VERBS: Readonly<Record<string, string>> = { must: 'You must', must_not: 'You must not' };

/** What contracts ask of whoever works, as plain sentences, each once: must, must_not and can; never a limit (P-1, P-2). */
export function conductOf(contracts: readonly Contract[]): readonly string[] {
  const asked = (type: string): readonly string[] =>
    contracts.flatMap(({ clauses }) =>
      clauses.flatMap((clause) => (clause.type === type ? [sentence(VERBS[type] ?? '', clause.text)] : [])),
    );
  const allowed = contracts.flatMap(({ can }) => can.map((text) => sentence('You may', text)));
  return [...new Set([...asked('must'), ...asked('must_not'), ...allowed])];
}

function sentence(verb: string, text: string): string {
  const words = text.trim().replace(/\s+/g, ' ');
  return `${verb} ${words}${/[.!?…]$/u.test(words) ? '' : '.'}`;
}
