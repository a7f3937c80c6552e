import { join } from 'node:path';
import { saidIn } from '../../plan/asked.js';
import type { Invocation, OptionWords, SlotWord } from '../../plan/invocation.js';
import { present } from '../../plan/options/inheritable.js';
import type { Donor } from './donor.js';

/** What may be said anew beside what the donor was asked; text as typed. */
export interface NewWords {
  /** `--assembly`: absolute path of the assembly's root, when it is not where it was. */
  readonly assembly?: string;
  readonly home?: string;
  readonly in?: string;
  readonly slots: readonly SlotWord[];
  readonly optionNames: readonly string[];
  readonly command?: string;
  readonly options: OptionWords;
  readonly deadline?: string;
  readonly maxCost?: string;
  readonly governance?: string;
}

/** The donor's request and words once more, under whatever is said anew: the same flow or stage, working tree, slots and options. */
export function askAgain(
  { view, flow, request }: Donor,
  words: NewWords & { readonly in: string },
): Omit<Invocation, 'purpose' | 'models'> {
  const said = saidIn(view.asked);
  const typed = new Set(words.slots.map(({ name }) => name.toUpperCase()));
  const slots = Object.entries(said.slots).filter(([name]) => !typed.has(name));
  return {
    target: join(words.assembly ?? view.assembly, flow === null || flow.path === '.' ? '' : flow.path, said.stage ?? ''),
    request: { words: [], none: false, kept: { request, task: said.task } },
    slots: [...slots.map(([name, path]) => ({ name, path })), ...words.slots],
    optionNames: words.optionNames,
    options: { ...(saysModel(words.options) ? withoutModel(said.options) : said.options), ...words.options },
    route: view.flow === '',
    in: words.in,
    ...present({
      ...{ command: words.command, home: words.home, deadline: words.deadline, maxCost: words.maxCost },
      governance: words.governance ?? said.governance,
    }),
  };
}

function saysModel({ model, intelligence }: OptionWords): boolean {
  return model !== undefined || intelligence !== undefined;
}

/** Another model does not take over what was said of the one before. */
function withoutModel({ timeout, retries, localContext }: OptionWords): OptionWords {
  return present({ timeout, retries, localContext });
}
