import type { Sentence } from '../contract.js';
import type { RunFacts } from '../facts.js';
import { compileSentence, nearestExample } from '../grammar/compile.js';
import type { Predicate } from '../grammar/predicate.js';
import { negated } from '../grammar/predicate.js';
import { judgeSentence } from '../judge/judge-clause.js';
import type { Check, Verdict } from './check.js';
import { PASSED, unevaluated, violated } from './check.js';
import type { EvaluationPorts, HostFact } from './ports.js';

/** A sentence by the grammar, by a fact of the host, by a judge, or by nobody: never a pass in silence (C-4). */
export function sentenceCheck(clause: Sentence, ports: EvaluationPorts): Check {
  if (clause.judge === 'llm') return judged(clause, ports);
  const compiled = compileSentence(clause.text, clause.type === 'requires' ? 'input' : 'output');
  if (compiled.ok && clause.type === 'requires' && compiled.predicate.about !== 'input') return byNobody(clause, TOO_EARLY);
  if (compiled.ok) return byGrammar(clause, compiled.predicate, compiled.phrase.form);
  const found = factFor(clause, ports.facts ?? []);
  return found ? byFact(clause, found) : byNobody(clause, compiled.message);
}

const TOO_EARLY = 'before the run nothing is known but the input';

function byGrammar(clause: Sentence, predicate: Predicate, form: string): Check {
  const wanted = clause.type === 'must_not' ? negated(predicate) : predicate;
  const judge = (facts: RunFacts): Verdict => verdictOf(wanted, facts);
  const invariant = clause.type === 'invariant';
  const live = invariant && wanted.becomes === 'false' && wanted.about !== 'output' && wanted.about !== 'input';
  return {
    clause,
    when: clause.type === 'requires' ? 'before' : live ? 'live' : 'after',
    note: form,
    judge,
    live: live ? judge : null,
    stepText: invariant && wanted.about === 'output' ? judge : null,
    forbidden: wanted.about === 'output' ? (wanted.falseWhere ?? null) : null,
    ofOutput: !invariant && wanted.about === 'output',
    inLogs: !invariant || wanted.about === 'calls',
  };
}

function verdictOf(predicate: Predicate, facts: RunFacts): Verdict {
  const { is, because } = predicate.decide(facts);
  if (is === 'true') return PASSED;
  return is === 'unknown' ? unevaluated(because) : violated(because);
}

interface FoundFact {
  readonly fact: HostFact;
  readonly groups: readonly string[];
}

function factFor({ text }: Sentence, facts: readonly HostFact[]): FoundFact | undefined {
  for (const fact of facts) {
    if (typeof fact.text === 'string') {
      if (plain(fact.text) === plain(text)) return { fact, groups: [] };
      continue;
    }
    const found = new RegExp(fact.text.source, fact.text.flags.replace(/[gy]/g, '')).exec(text);
    if (found && found[0] === text) return { fact, groups: found.slice(1) };
  }
  return undefined;
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ').replace(/\.$/, '').toLowerCase();
}

function byFact(clause: Sentence, { fact, groups }: FoundFact): Check {
  const wanted = clause.type !== 'must_not';
  const judge = (facts: RunFacts): Verdict => {
    const is = askHost(fact, facts, groups);
    if (is === undefined) return unevaluated('the host does not know it for this run');
    return is === wanted ? PASSED : violated(`the host says that it is ${is ? 'so' : 'not so'}`);
  };
  return { clause, when: 'fact', judge, live: null, stepText: null, forbidden: null, ofOutput: clause.type !== 'invariant', inLogs: true };
}

function askHost({ is }: HostFact, facts: RunFacts, groups: readonly string[]): boolean | undefined {
  if (typeof is === 'boolean') return is;
  try {
    return is(facts, groups);
  } catch {
    return undefined;
  }
}

function byNobody(clause: Sentence, message: string | undefined): Check {
  const reason = message ?? 'no program can decide this sentence, and it has no judge';
  return {
    clause,
    when: 'never',
    note: message === undefined ? howToDecide(clause.text) : `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`,
    judge: () => unevaluated(reason),
    live: null,
    stepText: null,
    forbidden: null,
    ofOutput: false,
    inLogs: true,
  };
}

function howToDecide(text: string): string {
  const near = nearestExample(text);
  return `Write it as a sentence of the grammar${near === undefined ? '' : `, such as "${near}"`}, give it "judge: llm", or supply the fact with --fact.`;
}

function judged(clause: Sentence, ports: EvaluationPorts): Check {
  const { judging } = ports;
  const invariant = clause.type === 'invariant';
  const common = { clause, live: null, stepText: null, forbidden: null, ofOutput: !invariant, inLogs: !invariant } as const;
  if (!judging) {
    const reason = ports.withoutJudge ?? 'there is no judge';
    return { ...common, when: 'judge', judge: () => unevaluated(reason) };
  }
  return { ...common, when: 'judge', judge: (facts) => judgeSentence(clause, facts, judging) };
}
