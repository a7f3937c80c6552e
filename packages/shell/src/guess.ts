import type { CommandArgument } from 'unbash';
import type { Argument } from './command.js';
import type { Known } from './known.js';
import { guessedArguments } from './words.js';

/** The lists of words that a command may become: one for each value that a variable in it is given somewhere. */
export function wordsGuessed(nodes: readonly CommandArgument[], source: string, { variables }: Known): readonly (readonly Argument[])[] {
  let most = 1;
  const guesses: Argument[][] = [];
  for (let at = 0; at < most; at++) {
    const pick = (name: string) => {
      const values = variables.get(name) ?? [];
      most = Math.max(most, values.length);
      return values[at % values.length];
    };
    guesses.push(nodes.flatMap((node) => guessedArguments(node, source, pick)));
  }
  return guesses;
}
