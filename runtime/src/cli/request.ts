import type { CommandModule } from './command.js';
import { printFile } from './bytes.js';
import { withView } from './reading.js';

const EXAMPLES = `
Examples:
  flow request latest                what was asked, byte for byte
  flow request latest > again.txt

Exit codes: 0 found, 1 nothing found, 2 misuse, 5 a request that was altered.`;

/** `flow request RUN` (I-1, E-3). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .addHelpText('after', EXAMPLES)
      .action(async (word: string) => done(await withView(command, io, word, (view, run, reader) => printFile(view.request, run, reader))));
  },
};
