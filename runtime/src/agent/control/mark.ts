import { choice, optional, parameters, text, whole } from '../tools/parameters.js';
import { type ControlTool, defineControl, mistake, words } from './control.js';

/** `mark`, for a checklist of `items` items (L-8). */
export function mark(items: number): ControlTool {
  return defineControl({
    name: 'mark',
    description:
      'Account for one item of the checklist. Evidence names what shows it. An item that does not apply is skipped, with the reason. Marking an item again replaces its mark.',
    parameters: parameters({
      item: whole('The number of the item, counted from 1 in the order written.', 1),
      state: choice('What became of it.', ['done', 'skipped']),
      evidence: words('What shows it: a file, a command and its result, a quotation.'),
      reason: optional(text('Why the item does not apply. Required when it is skipped.')),
    }),
    act({ item, state, evidence, reason }) {
      if (item > items) return mistake(`There is no item ${item}: the checklist ends at ${items}. Nothing was changed.`);
      const said = reason === undefined || reason.trim() === '' ? {} : { reason };
      if (state === 'skipped' && !('reason' in said))
        return mistake(`Item ${item} can only be skipped with a \`reason\`. Nothing was changed.`);
      return {
        output: `Item ${item} is ${state}.`,
        recorded: { decision: state, item, evidence, ...said },
        mark: { item, mark: { state, evidence, ...said } },
      };
    },
  });
}
