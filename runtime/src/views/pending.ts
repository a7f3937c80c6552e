import type { RunView } from '@gated-flow/record';
import { resumeCommand } from './resume-hint.js';

const SHOWN = 5;

/** The lines to type when a run ended because nobody gave leave for a call; none when it did not (V-5). */
export function pendingCommands(view: RunView, run: string): readonly (readonly [command: string, does: string])[] {
  const ids = view.ending?.pending ?? [];
  if (ids.length === 0) return [];
  const approve = ids.slice(0, SHOWN).map((id) => [`flow approve ${run} ${id}`, 'give leave for that one call'] as const);
  const more = ids.length > SHOWN ? [[`flow approve ${run}`, `all ${ids.length} calls that wait for leave`] as const] : [];
  return [...approve, ...more, [resumeCommand(view, run), 'then go on with it']];
}
