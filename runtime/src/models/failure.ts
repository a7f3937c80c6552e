import type { FailedTurn } from '../ports/model.js';

const TRANSIENT = new Set([408, 409, 425, 429]);
/** Their words may speak of tokens too ("too many tokens per minute"), which a smaller conversation does not mend. */
const ABOUT_LOAD = new Set([...TRANSIENT, 503, 529]);

const TOO_LONG =
  /prompt is too long|context[\s_-]*(?:length|window|size)|maximum context|input (?:is )?too long|exceeds? the (?:model's )?(?:maximum|available) (?:context|input|number of tokens)|too many input tokens|context_length_exceeded/i;

/** What a provider's refusal means for the caller (L-4). No status means that the connection broke before one arrived. */
export function failureOf(status: number | undefined, message: string): FailedTurn['failure'] {
  if (TOO_LONG.test(message) && !(status !== undefined && ABOUT_LOAD.has(status))) return 'context';
  if (status === undefined || status < 300 || status >= 500 || TRANSIENT.has(status)) return 'transient';
  return 'permanent';
}
