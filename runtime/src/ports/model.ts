/**
 * The model, as the held session sees it.
 *
 * A session never rejects: a failed turn is a turn (`turn: 'failed'`). One call is one attempt; retrying is the
 * caller's. A session keeps nothing that the request does not say: the messages are the whole conversation.
 */
export interface Model {
  readonly source: 'provider' | 'scripted' | 'rehearsal';
  /** A session for one agent. Cheap; starts no work. */
  open(who: AgentIdentity): ModelSession;
}

export interface AgentIdentity {
  /** The stage's path inside its flow. */
  readonly stage: string;
  readonly flow: string;
  readonly repeat?: number;
  /** A fan-out item's id. */
  readonly item?: string;
  /** What a rehearsal needs to know of the place: never shown to a real model. */
  readonly place: RehearsalPlace;
}

/** What the rehearsal model writes and answers from (M-6). */
export interface RehearsalPlace {
  readonly checklist: number;
  readonly schema?: { readonly kind: 'json'; readonly schema: object | boolean } | { readonly kind: 'md'; readonly text: string };
  /** The bytes of the stage's first `.fixtures/pass/*`, when there is one. */
  readonly fixture?: Uint8Array;
  readonly inputs: readonly string[];
  /** Names to select from, for a CHOOSE. */
  readonly alternatives?: readonly string[];
}

export interface ModelSession {
  /** What every request of the session says besides the conversation, as JSON; absent when nothing is sent anywhere. Never a secret. */
  readonly settings?: ModelSettings;
  next(request: ModelRequest): Promise<Turn>;
}

export interface ModelSettings {
  readonly provider: string;
  readonly model: string;
  readonly reasoning?: string;
  readonly max_output_tokens?: number;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** The most tokens that may be written in answer, where something limits it beside the session's own settings. */
  readonly maxOutputTokens?: number;
  /** Aborting ends the attempt as `failure: 'aborted'`. */
  readonly signal: AbortSignal;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object type. */
  readonly parameters: object;
}

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      /** The provider's own form of this message (signed reasoning and the like), JSON, given back verbatim. */
      readonly native?: unknown;
    }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  /** Parsed JSON; or, when it did not parse, `{ "unparsed": text }` with `malformed` saying why. */
  readonly input: unknown;
  readonly malformed?: string;
}

export interface ToolResult {
  readonly id: string;
  readonly tool: string;
  readonly output: string;
  readonly error?: true;
}

/** Tokens as the provider reported them; null when it did not. `input` is all of it, cached parts included. */
export interface Usage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cache_read: number | null;
  readonly cache_write: number | null;
}

export type Turn = Answer | FailedTurn;

export interface Answer {
  readonly turn: 'answer';
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** `length`: cut by the output limit (L-3). */
  readonly stop: 'end' | 'calls' | 'length' | 'other';
  readonly usage: Usage;
  /** Null when no price is known (M-3). */
  readonly costUsd: number | null;
  readonly provider: string;
  readonly model: string;
  readonly native?: unknown;
}

export interface FailedTurn {
  readonly turn: 'failed';
  /** `transient` may be retried (L-4); `script` is a script's unmet expectation (M-5). */
  readonly failure: 'transient' | 'permanent' | 'context' | 'aborted' | 'script';
  readonly provider: string;
  readonly model: string;
  readonly status?: number;
  /** The provider's own words, unredacted, any length: whoever shows them cuts and cleans. */
  readonly message: string;
  /** What `Retry-After` said, from now. */
  readonly retryAfterMs?: number;
}
