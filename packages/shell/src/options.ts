import type { Argument } from './command.js';

/** How a program's own options are told from the command it starts. */
export interface OptionRules {
  /** Letters without a value. */
  readonly flags?: string;
  /** Letters whose value is the rest of the word or the next word. */
  readonly valued?: string;
  /** Letters whose value, if any, is the rest of the word. */
  readonly attached?: string;
  readonly longFlags?: readonly string[];
  readonly longValued?: readonly string[];
  /** Whether a lone `-` is an option too. */
  readonly lonely?: boolean;
  /** Words between the options and the command. */
  readonly operands?: number;
  /** Whether `NAME=value` words may precede the command. */
  readonly assignments?: boolean;
}

/** An option that was found; `value` is null when there is none or when it is not known. */
export interface Option {
  readonly name: string;
  readonly value: string | null;
}

/** The options, and the words from the command on. Undefined when an option is unknown, so that the command cannot be found. */
export function splitOptions(
  words: readonly Argument[],
  rules: OptionRules,
): { readonly options: Option[]; readonly rest: Argument[] } | undefined {
  const options: Option[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]?.value ?? null;
    if (word === '-' && rules.lonely) continue;
    if (word === null || !/^-./.test(word)) break;
    if (word === '--') {
      at++;
      break;
    }
    const found = word.startsWith('--') ? longOption(word.slice(2), rules) : shortOptions(word.slice(1), rules);
    if (!found) return undefined;
    if (found.needsValue) at++;
    const value = found.needsValue ? (words[at]?.value ?? null) : undefined;
    options.push(
      ...found.options.map((option, i) => (i === found.options.length - 1 && value !== undefined ? { ...option, value } : option)),
    );
  }
  if (rules.assignments) while (isAssignment(words[at])) at++;
  return { options, rest: words.slice(at + (rules.operands ?? 0)) };
}

interface Found {
  readonly options: readonly Option[];
  readonly needsValue: boolean;
}

function longOption(word: string, rules: OptionRules): Found | undefined {
  const [name = '', ...value] = word.split('=');
  const takesValue = rules.longValued?.includes(name) ?? false;
  if (!takesValue && !rules.longFlags?.includes(name)) return undefined;
  if (value.length > 0) return { options: [{ name, value: value.join('=') }], needsValue: false };
  return { options: [{ name, value: null }], needsValue: takesValue };
}

function shortOptions(letters: string, rules: OptionRules): Found | undefined {
  const options: Option[] = [];
  for (const [i, name] of [...letters].entries()) {
    const rest = letters.slice(i + 1);
    if (rules.valued?.includes(name)) return { options: [...options, { name, value: rest === '' ? null : rest }], needsValue: rest === '' };
    if (rules.attached?.includes(name)) return { options: [...options, { name, value: rest === '' ? null : rest }], needsValue: false };
    if (!rules.flags?.includes(name)) return undefined;
    options.push({ name, value: null });
  }
  return { options, needsValue: false };
}

function isAssignment(word: Argument | undefined): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word?.text ?? '') || /^[A-Za-z_]\w*=/.test(word?.value ?? '');
}
