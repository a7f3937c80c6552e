import type { RefusalCode } from '@gated-flow/assembly';
import type { Usage } from '../../ports/model.js';
import type { Expectation } from './expect.js';

/** One model response of a script (M-5). `line` counts from 1. */
export interface StageLine {
  readonly line: number;
  readonly stage: string;
  readonly flow?: string;
  readonly item?: string;
  readonly repeat?: number;
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
  /** `calls` is what a line with calls and no `stop` of its own means. */
  readonly stop: 'end' | 'calls' | 'length' | 'error';
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly message?: string;
  readonly delayMs: number;
  readonly usage: Usage;
  readonly expect?: Expectation;
}

export interface ScriptedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** An answer for the judge (chapter 8). */
export interface JudgeLine {
  readonly line: number;
  /** The text of the clause. */
  readonly judge: string;
  readonly verdict: 'PASS' | 'FAIL';
  readonly reason: string;
}

export interface Script {
  readonly lines: readonly StageLine[];
  readonly judgements: readonly JudgeLine[];
}

export interface LineFault {
  readonly code: RefusalCode;
  readonly message: string;
}
