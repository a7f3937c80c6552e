import type { Command } from 'commander';
import { listRuns } from '../record/list-runs.js';
import { documentText } from '../views/document.js';
import { listText } from '../views/list-text.js';
import type { CommandModule, Io } from './command.js';
import { FOUND, MISUSE, NOTHING, countingNumber, withReader } from './reading.js';

const EXAMPLES = `
Examples:
  flow list              newest first, with how each ended
  flow list --limit 5
  flow list --json

Exit codes: 0 found, 1 no run yet, 2 misuse.`;

/** `flow list` (I-1, R-7). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .option('--limit <n>', 'only the newest')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async () => done(await list(command, io)));
  },
};

function list(command: Command, io: Io): Promise<number> {
  const words = command.opts<{ limit?: string; json?: boolean }>();
  const limit = words.limit === undefined ? Infinity : countingNumber(words.limit);
  return withReader(command, io, async (reader) => {
    if (limit === null) {
      reader.say(`--limit wants a whole number from 1, not ${JSON.stringify(words.limit)}.`);
      return MISUSE;
    }
    const all = await listRuns({ home: reader.home, cwd: io.cwd, disk: reader.disk }, reader);
    const runs = all.slice(0, limit);
    if (words.json === true)
      await io.out(
        documentText({ kind: 'flow.list', version: 1, home: reader.home, runs, omitted: all.length - runs.length }, reader.redactor),
      );
    else await reader.print(listText(runs));
    if (all.length > 0) return FOUND;
    reader.say(reader.home === null ? 'No home is named: say --home, or set FLOW_HOME or HOME.' : `There is no run yet in ${reader.home}.`);
    return NOTHING;
  });
}
