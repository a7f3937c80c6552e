export interface Call {
  readonly id: string;
  readonly name: string;
  /** Arguments as JSON text, in the pieces in which they arrive. */
  readonly pieces: readonly string[];
}

export interface Said {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly Call[];
  readonly stop?: 'end' | 'calls' | 'length' | 'withheld';
  readonly usage?: { readonly input: number; readonly output: number; readonly read?: number };
}

export interface Wire {
  readonly provider: string;
  readonly model: string;
  readonly key: string;
  readonly path: RegExp;
  /** The header that carries the key. */
  readonly authorization: string;
  /** What the vendor says of a conversation that is too long. */
  readonly contextWords: string;
  /** Calls come whole, never in pieces. */
  readonly wholeCalls?: true;
  answer(said: Said): (object | string)[];
  error(kind: string, message: string): object;
  streamedError(message: string): object;
}

export const WIRES: Readonly<Record<'anthropic' | 'openai' | 'google' | 'openai-compatible', Wire>>;
export function framed(event: object | string): string;
