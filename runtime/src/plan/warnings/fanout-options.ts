import type { Fanout } from '@gated-flow/assembly';
import type { WarningRule } from './warning.js';

/** What a FANOUT gives as defaults, or as skills, is for what stands inside, and nothing does: its items are runs of a flow of their own. */
export const fanoutReachesNobody: WarningRule = ({ assembly, flow }) =>
  (flow === null ? assembly.flows : [flow])
    .flatMap(({ steps }) => steps.filter((step) => step.type === 'FANOUT'))
    .flatMap((fanout) => [
      ...Object.entries(fanout.options).flatMap(([key, value]) =>
        value === undefined ? [] : [warning(fanout, fanout.sentinel, key === 'localContext' ? 'local-context' : key)],
      ),
      ...fanout.skills.map(({ name, path }) => warning(fanout, path, name)),
    ]);

function warning({ subflow }: Fanout, path: string, what: string): { readonly path: string; readonly message: string } {
  return {
    path,
    message: `${JSON.stringify(what)} reaches nobody here: an item runs ${subflow}, with what ${subflow} says. Say it there.`,
  };
}
