/** Our decisions in a host's form (V-12). Both hosts take exit 2 for a denial and let every other code through. */
import type { RuleHit, Verdict } from '../events.js';
import { denialPayload, reasonOf } from '../decide/denial.js';
import { asciiJson, asciiText } from '../payload/ascii.js';
import type { HostEvent, HostName } from './host-event.js';

export interface HostAnswer {
  /** ASCII; empty for no decision. */
  readonly stdout: string;
  /** ASCII; what the agent is told with exit 2. Never empty then: a host takes a silent exit 2 for a broken hook. */
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

/** Nothing is decided: the host goes on as if nobody had asked. Never a permission, which would pass over its own questions. */
export const NO_DECISION: HostAnswer = { stdout: '', stderr: '', exitCode: 0 };

/** Whatever goes wrong here stops the call, because the host would let it through otherwise. */
export function failureAnswer(message: string): HostAnswer {
  return { stdout: '', stderr: `${asciiText(message)}\n`, exitCode: 2 };
}

/** The answer to a call: the strictest verdict over all that the call does. */
export function callAnswer(host: HostName, event: HostEvent, verdict: Verdict): HostAnswer {
  switch (verdict.decision) {
    case 'allow':
      return NO_DECISION;
    case 'warn':
      return said({ systemMessage: `Allowed, with a warning: ${reasonOf(verdict)}` });
    case 'require_approval':
      return askAnswer(host, event, verdict);
    case 'deny':
      return { stdout: '', stderr: `${denialPayload(verdict)}\n`, exitCode: 2 };
  }
}

/** The host's own question. Codex has none and lets a hook that asks through, so the call is stopped there and the agent told to ask. */
function askAnswer(host: HostName, { name }: HostEvent, verdict: Verdict): HostAnswer {
  const asking = verdict.hits.filter(({ decision }) => decision === 'require_approval');
  const reason = asking.map(askSentence).join(' ');
  // The host is asking already when it says so by this event.
  if (name === 'PermissionRequest' && host === 'claude-code') return said({ systemMessage: reason });
  if (host === 'claude-code')
    return said({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: reason } });
  return failureAnswer(
    `Not run: it needs leave, and this host cannot ask for it. ${reason} Tell the person what you want to run and why, and let them run it.`,
  );
}

function askSentence({ reason, target, scope, risks, recovery }: RuleHit): string {
  const details = [
    ...(target === undefined ? [] : [`Target: ${target}${scope === undefined ? '' : ` (${scope})`}.`]),
    `Risk: ${risks ?? 'not disclosed'}. Recovery: ${recovery ?? 'not disclosed'}.`,
  ];
  return `${reason} ${details.join(' ')}`;
}

/** What the agent reads beside the prompt: its permissions, the receipt. */
export function promptAnswer(context: string): HostAnswer {
  return context === '' ? NO_DECISION : said({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: context } });
}

/**
 * The agent is sent back with what it has to support. `downgrade` sends back once, because a host that is sent back for ever
 * never ends; `block` each time.
 */
export function stopAnswer(
  { again }: { readonly again: boolean },
  claims: { readonly message: string; readonly decision: 'downgrade' | 'block' } | null,
): HostAnswer {
  if (claims === null || (again && claims.decision === 'downgrade')) return NO_DECISION;
  return said({ decision: 'block', reason: claims.message });
}

function said(output: object): HostAnswer {
  return { stdout: `${asciiJson(output)}\n`, stderr: '', exitCode: 0 };
}
