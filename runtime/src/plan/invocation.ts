import type { ReadRequest } from './request/read.js';

/** What was typed, before anything is judged. All values are as they were typed: text. */
export interface Invocation {
  /** `run` needs everything to be there; `check` needs no model, no request and no slots (O-5). */
  readonly purpose: 'run' | 'check';
  /** A path, or the name of an assembly (O-1). */
  readonly target: string;
  readonly request: RequestWords;
  /** `--home DIR`. */
  readonly home?: string;
  /** `--in DIR`: the working tree; the caller's directory when absent (O-7). */
  readonly in?: string;
  /** `--<slot> PATH`, by the name as typed. */
  readonly slots: readonly SlotWord[];
  /** The command that was typed, whose help is named: `flow gate`; absent: `flow run` or `flow check`, by the purpose. */
  readonly command?: string;
  /** Every long option of the command, without dashes: what a mistyped one may have meant. */
  readonly optionNames: readonly string[];
  readonly options: OptionWords;
  /** `--route`: the assembly agent chooses, even among one flow (O-2). */
  readonly route: boolean;
  /** What answers for the model: only `provider` needs an intelligence (O-5). */
  readonly models: 'provider' | 'scripted' | 'rehearsal' | 'replay';
  /** `--governance FILE`: a governance contract besides the assembly's (V-1). */
  readonly governance?: string;
  /** `--deadline SECONDS` (I-5). */
  readonly deadline?: string;
  /** `--max-cost USD` (I-5). */
  readonly maxCost?: string;
}

export interface RequestWords {
  /** What stood after the target; more than one is refused. */
  readonly words: readonly string[];
  /** `--task FILE`. */
  readonly task?: string;
  /** `--no-request`. */
  readonly none: boolean;
  /** The request of an earlier run, as it was; nothing of it is read again (G-11). */
  readonly kept?: ReadRequest;
}

export interface SlotWord {
  readonly name: string;
  /** Null when nothing followed the name. */
  readonly path: string | null;
}

export interface OptionWords {
  readonly timeout?: string;
  readonly retries?: string;
  readonly localContext?: string;
  readonly intelligence?: string;
  /** `PROVIDER/MODEL`. */
  readonly model?: string;
  readonly reasoning?: string;
}
