import { readShebang } from './shebang.js';
import { executablesOf, type WarningRule } from './warning.js';

/** The system looks for a program whose name ends in the carriage return, and finds none. */
export const carriageReturnInShebang: WarningRule = ({ assembly, stages }) =>
  stages.flatMap(executablesOf).flatMap(({ path }) => {
    const entry = assembly.snapshot.entries.get(path);
    if (entry?.kind !== 'file' || !readShebang(entry.head)?.carriageReturn) return [];
    return [
      {
        path,
        message: 'Its first line ends in a carriage return, so its interpreter will not be found. Save it with Unix line ends.',
        fix: `sed -i 's/\\r$//' ${path}`,
      },
    ];
  });
