/**
 * `session.jsonl`: one line for everything the model was given or said, in order, appended before the next step (L-2).
 * Every request to the model can be rebuilt from these lines alone.
 */
export type SessionLine = { readonly ts: string } & SessionEntry;

export type SessionEntry =
  | { readonly kind: 'system'; readonly text: string }
  | {
      readonly kind: 'tools';
      readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: object }[];
      /** What every request says besides the conversation; absent when no provider is asked. */
      readonly settings?: {
        readonly provider: string;
        readonly model: string;
        readonly reasoning?: string;
        readonly max_output_tokens?: number;
      };
    }
  | { readonly kind: 'user'; readonly text: string; readonly why: 'start' | 'send-back' | 'go-on' | 'question' }
  | {
      readonly kind: 'assistant';
      readonly text: string;
      readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown; readonly malformed?: string }[];
      readonly stop: string;
      readonly native?: unknown;
    }
  | {
      readonly kind: 'tool';
      readonly results: readonly { readonly id: string; readonly tool: string; readonly output: string; readonly error?: true }[];
    };
