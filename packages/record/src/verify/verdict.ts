import type { Reading } from '../reader.js';

/** One thing that is not as the record says. */
export interface Difference {
  /** Relative to the run's folder. */
  readonly path: string;
  /** Of a line file, from 1. */
  readonly line?: number;
  /** The rule that is broken. */
  readonly rule: string;
  /** A sentence without its subject: what is different. */
  readonly message: string;
  /** SHA-256, when two hashes differ. */
  readonly expected?: string;
  readonly found?: string;
}

export interface Verdict {
  /** Whether the record is complete and nothing differs. */
  readonly verified: boolean;
  /** How the record itself reads. */
  readonly state: Reading['state'];
  /** Lines of the record, files of the tree, child runs. */
  readonly lines: number;
  readonly files: number;
  readonly children: number;
  /** `unchecked`: there is a signature, and no key was given. `absent`: the run is not signed. */
  readonly signature: 'absent' | 'unchecked' | 'good' | 'bad';
  /** SHA-256 of record.jsonl. */
  readonly record_sha256: string;
  readonly differences: readonly Difference[];
}

/** Gathers differences; two that tell the same of one file are one. */
export interface Differences {
  add(difference: Difference): void;
  /** Compares a hash that something says of a file with the file's own. */
  compare(path: string, expected: string, said: Said): void;
  readonly all: readonly Difference[];
}

/** Who says what a file's hash is. */
export interface Said {
  readonly rule: string;
  /** `manifest.sha256`, `line 12 of record.jsonl`. */
  readonly by: string;
}

export function createDifferences(hashOf: (path: string) => string | undefined): Differences {
  const all: Difference[] = [];
  const told = new Set<string>();
  return {
    all,
    add: (difference) => void all.push(difference),
    compare(path, expected, { rule, by }) {
      const found = hashOf(path);
      if (found === expected) return;
      const key = `${path}\0${expected}`;
      if (told.has(key)) return;
      told.add(key);
      const message = found === undefined ? `is missing; ${by} names it` : `is not what ${by} says`;
      all.push({ path, rule, message, expected, ...(found === undefined ? {} : { found }) });
    },
  };
}
