import type { LanguageModelV3FinishReason } from '@ai-sdk/provider';
import type { Answer } from '../../ports/model.js';

/** How a stream ended. `broken`: not as an answer, with what the provider said; `spent`: the conversation fills the model. */
export type Ended =
  | { readonly ended: 'answer'; readonly stop: Answer['stop'] }
  | { readonly ended: 'truncated' }
  | { readonly ended: 'broken'; readonly message: string }
  | { readonly ended: 'withheld'; readonly message: string }
  | { readonly ended: 'spent'; readonly message: string };

/** Gemini's reasons for stopping that are neither the model's nor the filter's. */
const BROKEN = new Set([
  ...['FINISH_REASON_UNSPECIFIED', 'OTHER', 'LANGUAGE', 'MALFORMED_RESPONSE', 'MISSING_THOUGHT_SIGNATURE'],
  ...['UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'],
]);

export interface Heard {
  readonly calls: number;
  readonly words: string;
}

/** What the provider's reason for stopping means. A filter that cut in is the provider's act, not the agent's stop. */
export function endedBy({ unified: reason, raw: said }: LanguageModelV3FinishReason, { calls, words }: Heard): Ended {
  if (reason === 'content-filter') return { ended: 'withheld', message: `The provider withheld the answer (${said ?? 'refusal'}).` };
  if (said === 'model_context_window_exceeded') return { ended: 'spent', message: 'The answer filled the context window of the model.' };
  if (reason === 'error' && said !== undefined) return { ended: 'broken', message: `The provider ended the answer with ${said}.` };
  if (said === undefined && (reason === 'other' || reason === 'error')) return { ended: 'truncated' };
  if (said !== undefined && BROKEN.has(said)) return { ended: 'broken', message: `The provider ended the answer with ${said}.` };
  if (reason === 'tool-calls' && calls === 0 && words.trim() === '')
    return { ended: 'broken', message: `The provider ended the answer with ${said ?? reason}, but no call came.` };
  return { ended: 'answer', stop: stopOf(reason, calls) };
}

function stopOf(reason: LanguageModelV3FinishReason['unified'], calls: number): Answer['stop'] {
  if (reason === 'length') return 'length';
  if (reason === 'tool-calls' || (reason === 'stop' && calls > 0)) return 'calls';
  return reason === 'stop' ? 'end' : 'other';
}
