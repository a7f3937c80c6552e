/** The keys of `config.yaml`; anything else is refused with the nearest of these (O-5, I-5, S-2). */
export const CONFIG_KEYS = [
  'intelligences',
  'intelligence',
  'timeout',
  'retries',
  'local-context',
  'deadline',
  'max-cost',
  'scrub',
  'gate-env',
  'agent-env',
  'redact',
  'alert-webhook',
  'alert-command',
] as const;

/** The keys of a row of `intelligences` (M-1). */
export const INTELLIGENCE_KEYS = ['provider', 'model', 'reasoning', 'base-url', 'api-key-env', 'max-output-tokens', 'price'] as const;

export const PRICE_KEYS = ['input', 'output', 'cache-read', 'cache-write'] as const;

export const REASONING_LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** Withheld from the agent's shell and from gates unless `gate-env` or `agent-env` lets them back in; `scrub` replaces the list (S-2). */
export const DEFAULT_SCRUB = ['*_API_KEY', '*_TOKEN', '*_SECRET', 'AWS_*', 'ACTIONS_*', 'OTEL_EXPORTER_OTLP_*HEADERS'] as const;
