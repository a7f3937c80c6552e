import type { Command } from 'commander';
import type { CommandModule, Io } from './command.js';
import { printMasked } from './bytes.js';
import { withChild, withView } from './reading.js';

const EXAMPLES = `
Examples:
  flow request latest                what was asked; secrets in it are masked
  flow request latest > again.txt
  flow request latest 06-map/j01     what a child run was asked

Exit codes: 0 found, 1 nothing found, 2 misuse, 5 a request that was altered.`;

/** `flow request RUN` (I-1, E-3). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .addHelpText('after', EXAMPLES)
      .argument('[child]', 'a child run of it')
      .action(async (word: string, child: string | undefined) => done(await request(command, io, { word, child })));
  },
};

function request(
  command: Command,
  io: Io,
  { word, child }: { readonly word: string; readonly child: string | undefined },
): Promise<number> {
  return withView(command, io, word, (view, run, reader) =>
    withChild({ view, run }, child, reader, (at) => printMasked(at.view.request, at.run, reader)),
  );
}
