import { cleanTemp } from './clean-temp.js';
import { answer } from './continue.js';
import type { ControlTool } from './control.js';
import { fault, refuse } from './leave.js';
import { mark } from './mark.js';
import { select } from './select.js';

/** What there is to mark, to answer and to select. */
export interface Occasions {
  /** Items of the checklist. */
  readonly items: number;
  /** Where there is a question: whether it is open. */
  readonly isAsked?: () => boolean;
  /** Where there is a choice: its names. */
  readonly select?: readonly string[] | undefined;
}

/** The control tools of a stage, in the order the agent reads them: each only where there is an occasion for it. */
export function controlTools({ items, isAsked, select: names }: Occasions): readonly ControlTool[] {
  return [
    ...(items > 0 ? [mark(items)] : []),
    ...(isAsked ? [answer(isAsked)] : []),
    ...(names ? [select(names)] : []),
    refuse,
    fault,
    cleanTemp,
  ];
}
