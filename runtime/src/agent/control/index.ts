import { cleanTemp } from './clean-temp.js';
import type { ControlTool } from './control.js';
import { fault, refuse } from './leave.js';
import { mark } from './mark.js';

/** The control tools of a stage, in the order the agent reads them. `mark` only where there is something to mark. */
export function controlTools(items: number): readonly ControlTool[] {
  return [...(items > 0 ? [mark(items)] : []), refuse, fault, cleanTemp];
}
