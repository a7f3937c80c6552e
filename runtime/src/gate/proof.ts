/** What came of judging files by the checks of a stage, with no model and no run. Plain data in the field names of its document. */
import type { Ending } from '../stage/decide.js';

/** `blocked`, `fault` and `timeout` say that nothing was found out about the file. */
export type FileVerdict = 'pass' | 'fail' | 'blocked' | 'fault' | 'timeout';

export interface JudgedFile {
  /** As the person named it, or its place in the stage's folder. */
  readonly file: string;
  readonly expected: 'pass' | 'fail';
  readonly verdict: FileVerdict;
  readonly as_expected: boolean;
  /** The check that did not pass: a gate's file, or a check's name. */
  readonly check?: string;
  /** What it said, at most 2,048 bytes. */
  readonly text?: string;
  /** The checks that were made, in their order; the first that says no is the last. */
  readonly checks: readonly MadeCheck[];
}

export interface MadeCheck {
  readonly check: string;
  readonly file?: string;
  readonly exit: number | null;
  readonly ms: number;
}

export interface StageProof {
  /** Its file or folder in the assembly. */
  readonly stage: string;
  readonly name: string;
  /** Its schema and its gates, in the order of a round. */
  readonly checks: readonly string[];
  /** What of the stage judges an agent and no file. */
  readonly not_tried: readonly string[];
  readonly files: readonly JudgedFile[];
  /** Gates that said no to none of the files. Empty when files were named. */
  readonly never_failed: readonly string[];
}

/** What a round that ended early says of the file. */
export function verdictOf({ cause }: Pick<Ending, 'cause'>): FileVerdict {
  if (cause === 'exhausted') return 'fail';
  return cause === 'blocked' || cause === 'timeout' ? cause : 'fault';
}

/** 0: all as expected. 1: one was not. 2: a check could not be made, or there was no file to try (I-1). */
export function exitOf(proofs: readonly Pick<StageProof, 'files'>[]): 0 | 1 | 2 {
  const files = proofs.flatMap((proof) => proof.files);
  if (files.length === 0 || files.some(({ verdict }) => verdict === 'fault' || verdict === 'timeout')) return 2;
  return files.every(({ as_expected }) => as_expected) ? 0 : 1;
}
