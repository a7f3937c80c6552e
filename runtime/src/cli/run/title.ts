import { counted } from '@gated-flow/text';
import type { Prepared } from '../../plan/prepare.js';

/** `triage · 3 stages · anthropic/claude-sonnet-5 (from environment)`: what is about to run, and on what. */
export function titleOf({ plan }: Prepared, source: string): string {
  const stages = plan.rows.filter(({ type }) => type === 'STAGE' || type === 'ASSEMBLY');
  const models = source === 'provider' ? [...new Set(stages.map(modelOf))].join(', ') : source;
  return [plan.flow?.name ?? 'assembly', counted(stages.length, 'stage'), models].join(' · ');
}

function modelOf({ options: { provider, model } }: Prepared['plan']['rows'][number]): string {
  return `${provider.value}/${model.value} (from ${model.from})`;
}
