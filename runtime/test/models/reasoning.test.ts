import { expect, it } from 'vitest';
import { endpointOf } from '../../src/models/provider/endpoint.js';
import { requestSettings } from '../../src/models/provider/settings.js';
import type { Reasoning } from '../../src/plan/plan.js';

function optionsOf(provider: string, model: string, reasoning?: Reasoning): unknown {
  const result = endpointOf({ provider, model, baseUrl: 'http://h', ...(reasoning ? { reasoning } : {}) }, {});
  return result.ok ? requestSettings(result.endpoint).providerOptions : result;
}

const openai = (more: object) => ({ openai: { store: false, ...more } });
const effort = (reasoningEffort: string) => openai({ reasoningEffort, forceReasoning: true });
const level = (thinkingLevel: string) => ({ google: { thinkingConfig: { thinkingLevel } } });
const budget = (thinkingBudget: number) => ({ google: { thinkingConfig: { thinkingBudget } } });

it.each<[string, string, Reasoning | undefined, object]>([
  ['openai', 'gpt-6.1-sol', undefined, openai({})],
  ['openai', 'gpt-6.1-sol', 'none', effort('low')],
  ['openai', 'gpt-6-sol', 'none', effort('none')],
  ['openai', 'gpt-6.1-sol', 'minimal', effort('low')],
  ['openai', 'gpt-6.1-sol', 'xhigh', effort('xhigh')],
  ['openai', 'gpt-5', 'none', effort('minimal')],
  ['openai', 'gpt-5-mini', 'xhigh', effort('high')],
  ['openai', 'gpt-5.1', 'none', effort('none')],
  ['openai', 'gpt-5.1', 'xhigh', effort('high')],
  ['openai', 'gpt-5.1-codex-max', 'xhigh', effort('xhigh')],
  ['openai', 'gpt-5.4-mini', 'medium', effort('medium')],
  ['openai', 'o3', 'minimal', effort('low')],
  ['openai', 'gpt-4.1', 'none', openai({})],
  ['openai', 'my-own-tune', 'high', effort('high')],
  ['google', 'gemini-3.8-flash', undefined, {}],
  ['google', 'gemini-3.8-flash', 'none', level('minimal')],
  ['google', 'gemini-3.8-flash', 'medium', level('medium')],
  ['google', 'gemini-3.8-flash', 'xhigh', level('high')],
  ['google', 'gemini-3-pro-preview', 'medium', level('high')],
  ['google', 'gemini-3.1-pro-preview', 'minimal', level('low')],
  ['google', 'gemini-2.5-flash', 'none', budget(0)],
  ['google', 'gemini-2.5-pro', 'none', budget(128)],
  ['google', 'gemini-2.5-pro', 'xhigh', budget(24_576)],
  ['google', 'gemini-2.0-flash', 'none', {}],
  ['openai-compatible', 'm', 'minimal', { openaiCompatible: { reasoningEffort: 'minimal' } }],
  ['openai-compatible', 'm', undefined, {}],
])('[M-1] reasoning of %s/%s at %s', (provider, model, reasoning, options) => {
  expect(optionsOf(provider, model, reasoning)).toEqual(options);
});
