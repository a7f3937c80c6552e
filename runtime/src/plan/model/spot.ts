import { readName, shown } from '../options/inheritable.js';
import { readReasoning, reasoningHint } from '../config/intelligence.js';
import type { OptionWords } from '../invocation.js';
import type { Reasoning } from '../plan.js';
import { commandInvalid, found, refused, type Resolved } from '../refusal.js';

/** What the command itself says about the model: a row made on the spot, or only another reasoning level (O-5). */
export interface SpotModel {
  readonly row?: { readonly provider: string; readonly model: string };
  readonly reasoning?: Reasoning;
}

/** Reads `--model PROVIDER/MODEL` and `--reasoning LEVEL`; a model's name may itself hold slashes. */
export function readSpotModel(words: OptionWords): Resolved<SpotModel> {
  const refusals = [];
  const row = words.model === undefined ? undefined : splitModel(words.model);
  if (row === null) {
    refusals.push(
      commandInvalid('value-invalid', `--model must be PROVIDER/MODEL, such as anthropic/claude-sonnet-5; it is ${shown(words.model)}.`),
    );
  }
  const reasoning = words.reasoning === undefined ? undefined : readReasoning(words.reasoning);
  if (reasoning === null) {
    refusals.push(
      commandInvalid('value-invalid', `--reasoning must be ${reasoningHint(words.reasoning)}; it is ${shown(words.reasoning)}.`),
    );
  }
  if (words.model !== undefined && words.intelligence !== undefined) {
    refusals.push(commandInvalid('value-invalid', '--model and --intelligence both choose the model. Keep one.'));
  }
  if (refusals.length > 0) return refused(...refusals);
  return found({ ...(row ? { row } : {}), ...(reasoning ? { reasoning } : {}) });
}

function splitModel(text: string): { provider: string; model: string } | null {
  const slash = text.indexOf('/');
  const [provider, model] = [readName(text.slice(0, slash)), readName(text.slice(slash + 1))];
  return slash < 1 || provider === null || model === null ? null : { provider, model };
}
