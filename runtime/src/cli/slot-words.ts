import type { Command, Option } from 'commander';
import type { SlotWord } from '../plan/invocation.js';

/**
 * Spells `--NAME PATH` as `--slot NAME=PATH` when NAME is no option of the command (O-7): which slots exist is known only once the
 * assembly is read, so a mistyped option is refused there, with the nearest word. What follows `--` is left alone.
 */
export function spellSlots(words: readonly string[], command: Pick<Command, 'options'>): string[] {
  const spelled: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return [...spelled, ...words.slice(index)];
    const next = words[index + 1];
    const { name, value } = splitWord(word);
    const option = optionNamed(name, command.options);
    if (!word.startsWith('--') || option !== undefined || name === '--help') {
      spelled.push(word);
      if (option?.required === true && value === undefined && next !== undefined) {
        spelled.push(next);
        index += 1;
      }
      continue;
    }
    const takesNext = value === undefined && next !== undefined && !next.startsWith('--');
    const path = takesNext ? next : value;
    spelled.push('--slot', path === undefined ? name.slice(2) : `${name.slice(2)}=${path}`);
    if (takesNext) index += 1;
  }
  return spelled;
}

/** Reads `NAME=PATH`. */
export function readSlotWord(text: string): SlotWord {
  const equals = text.indexOf('=');
  return equals < 0 ? { name: text, path: null } : { name: text.slice(0, equals), path: text.slice(equals + 1) };
}

function splitWord(word: string): { name: string; value: string | undefined } {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? { name: word, value: undefined } : { name: word.slice(0, equals), value: word.slice(equals + 1) };
}

function optionNamed(name: string, options: readonly Option[]): Option | undefined {
  return options.find(({ long, short }) => name === long || name === short);
}
