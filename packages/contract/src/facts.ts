/** What is known of a run. Nothing here is trusted, and null means that nobody knows: never zero, never empty. */
export interface RunFacts {
  readonly input: Content | null;
  /** Null when the run ended before there was any. */
  readonly output: Content | null;
  readonly toolCalls: readonly ToolCall[] | null;
  /** The agent's own clock over all its rounds. */
  readonly durationMs: number | null;
  readonly costUsd: number | null;
  /** Of the costliest step so far. */
  readonly stepCostUsd: number | null;
  /** Sum over the run. */
  readonly outputTokens: number | null;
  /** Of the largest request, its cached part included. */
  readonly inputTokens: number | null;
  /** Model turns. */
  readonly steps: number | null;
  readonly commands: readonly string[] | null;
  /** Paths, as the host names them. */
  readonly changedFiles: readonly string[] | null;
  /** The model that did the work, as `provider/model`: it may not be its own judge (C-6). */
  readonly agentModel: string | null;
}

/** A text, or bytes that may not be one. */
export interface Content {
  readonly text: string;
  /** There when the bytes are not the text's own UTF-8. */
  readonly bytes?: Uint8Array;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments?: unknown;
}

export const NOTHING_KNOWN: RunFacts = {
  input: null,
  output: null,
  toolCalls: null,
  durationMs: null,
  costUsd: null,
  stepCostUsd: null,
  outputTokens: null,
  inputTokens: null,
  steps: null,
  commands: null,
  changedFiles: null,
  agentModel: null,
};

/** Bytes that are valid UTF-8 are their text. */
export function contentOf(value: string | Uint8Array): Content {
  if (typeof value === 'string') return { text: value };
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');
  return Buffer.from(text).equals(value) ? { text } : { text, bytes: value };
}
