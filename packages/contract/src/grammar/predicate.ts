import type { RunFacts } from '../facts.js';

/**
 * Whether a sentence is true of a run. `unknown`: a fact is missing. `fault`: judging it failed, which is a violation however the
 * sentence was put. `because` tells the measurement in words, and never a piece of the input or the output.
 */
export interface Decision {
  readonly is: 'true' | 'false' | 'unknown' | 'fault';
  readonly because: string;
}

/** A sentence that a program can decide. */
export interface Predicate {
  /** What it has to look at. `calls` alone are known of every run log. */
  readonly about: 'input' | 'output' | 'calls' | 'steps' | 'run' | 'effects';
  /** What it stays once it is that while the run goes on: a sentence that becomes false for good can be judged live. */
  readonly becomes: 'true' | 'false' | 'either';
  decide(facts: RunFacts): Decision;
  /** The one expression whose match in the text makes it true, or false: what a stream can be stopped by. */
  readonly trueWhere?: Found;
  readonly falseWhere?: Found;
}

/** An expression with its flags. */
interface Found {
  readonly source: string;
  readonly flags: string;
}

export function unknown(because: string): Decision {
  return { is: 'unknown', because };
}

export function decided(is: boolean, because: string): Decision {
  return { is: is ? 'true' : 'false', because };
}

export function negated(predicate: Predicate): Predicate {
  const becomes = predicate.becomes === 'either' ? 'either' : predicate.becomes === 'true' ? 'false' : 'true';
  const { about, trueWhere, falseWhere } = predicate;
  return {
    about,
    becomes,
    decide: (facts) => opposite(predicate.decide(facts)),
    ...(trueWhere === undefined ? {} : { falseWhere: trueWhere }),
    ...(falseWhere === undefined ? {} : { trueWhere: falseWhere }),
  };
}

function opposite(decision: Decision): Decision {
  return decision.is === 'unknown' || decision.is === 'fault' ? decision : decided(decision.is === 'false', decision.because);
}
