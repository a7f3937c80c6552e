/** Providers whose keys are looked for in the environment, in the order in which they win (M-2). `small` judges contracts (M-4). Model ids as the vendors offered them on 2026-11-30. */
export const KNOWN_KEYS = [
  { variable: 'ANTHROPIC_API_KEY', provider: 'anthropic', model: 'claude-sonnet-5-5', small: 'claude-haiku-4-5' },
  { variable: 'OPENAI_API_KEY', provider: 'openai', model: 'gpt-6.1-sol', small: 'gpt-5-mini' },
  { variable: 'GEMINI_API_KEY', provider: 'google', model: 'gemini-3.8-flash', small: 'gemini-2.5-flash' },
  { variable: 'GOOGLE_GENERATIVE_AI_API_KEY', provider: 'google', model: 'gemini-3.8-flash', small: 'gemini-2.5-flash' },
] as const;

export const OLLAMA_ADDRESS = 'http://127.0.0.1:11434';
