import type { HostName } from './host-event.js';

/** What a host is told in which form, for `flow governance check` and the denial receipt (V-10, V-12). */
export interface HostForm {
  readonly host: HostName;
  readonly blockedExitCode: 2;
  /** Where the payload of a denial is written. */
  readonly denialPayload: 'standard error';
  readonly denialSchema: object;
  readonly approval: 'the host asks' | 'the call is stopped';
  /** What a hook of this host never sees. */
  readonly bypassSurfaces: readonly string[];
}

const DENIAL_SCHEMA = {
  type: 'object',
  required: ['decision', 'reason'],
  properties: { decision: { const: 'deny' }, reason: { type: 'string' } },
  additionalProperties: false,
};

export const HOST_FORMS: Readonly<Record<HostName, HostForm>> = {
  'claude-code': {
    host: 'claude-code',
    blockedExitCode: 2,
    denialPayload: 'standard error',
    denialSchema: DENIAL_SCHEMA,
    approval: 'the host asks',
    bypassSurfaces: [
      'files mentioned with @',
      'commands a person types',
      'programs that a command starts',
      'tools the matcher does not name',
    ],
  },
  codex: {
    host: 'codex',
    blockedExitCode: 2,
    denialPayload: 'standard error',
    denialSchema: DENIAL_SCHEMA,
    approval: 'the call is stopped',
    bypassSurfaces: ['commands a person types', 'programs that a command starts', 'web search', 'tools the matcher does not name'],
  },
};
