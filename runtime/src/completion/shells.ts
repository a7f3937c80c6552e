/** The scripts, by the shell. One command for each line of a list of commands that the scripts are generated from. */
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import type { CompletedCommand } from './words.js';
import { zshScript } from './zsh.js';

export const SHELLS: Readonly<Record<'bash' | 'zsh' | 'fish', (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
