import { readShebang } from './shebang.js';
import { executablesOf, type WarningRule } from './warning.js';

export const interpreterMissing: WarningRule = ({ assembly, stages, facts }) =>
  stages.flatMap(executablesOf).flatMap(({ path }) => {
    const entry = assembly.snapshot.entries.get(path);
    const interpreter = entry?.kind === 'file' ? readShebang(entry.head)?.interpreter : undefined;
    if (!interpreter || !facts.missing.has(interpreter.spelled)) return [];
    const where = interpreter.byPath ? 'is not on PATH here' : 'does not exist here';
    return [
      { path, message: `Its interpreter ${interpreter.spelled} ${where}: it cannot run. Install it, or name another in the first line.` },
    ];
  });
