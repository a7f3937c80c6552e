import { shellWord } from '../fix.js';
import { readShebang } from './shebang.js';
import type { WarningRule } from './warning.js';

/** The system looks for a program whose name ends in the carriage return, and finds none. Of gates and hooks this is a refusal; helper scripts are left. */
export const carriageReturnInShebang: WarningRule = ({ assembly }) =>
  [...assembly.snapshot.entries.values()].flatMap((entry) => {
    if (entry.kind !== 'file' || !readShebang(entry.head)?.carriageReturn) return [];
    const message = 'Its first line ends in a carriage return, so its interpreter will not be found. Save it with Unix line ends.';
    return [{ path: entry.path, message, fix: `sed -i 's/\\r$//' ${shellWord(entry.path)}` }];
  });
