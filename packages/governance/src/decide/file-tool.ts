import type { Rule } from '../contract/contract.js';
import type { FileToolEvent, RuleHit } from '../events.js';
import { hitOf } from './hit.js';

/** Every rule that fits a file tool: by its path and operation alone, never by what it writes (V-3). `warn` is none of its decisions (V-2). */
export function fileToolHits(rules: readonly Rule[], { tool, operation, paths }: FileToolEvent): readonly RuleHit[] {
  return rules.flatMap((rule) => {
    const { tool: tools, path } = rule.matcher;
    if (tools && !tools.has(operation) && !tools.has(tool)) return [];
    const matched = path ? paths.find((name) => path.fits(name)) : (paths[0] ?? tool);
    return matched === undefined ? [] : [hitOf(rule, { matched })];
  });
}
