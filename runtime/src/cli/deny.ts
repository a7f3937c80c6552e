import type { CommandModule } from './command.js';
import { decideLeave } from './leave.js';

const EXAMPLES = `
Without ID the requests of the run that wait are shown. A run that waits goes on, and its agent is told that the call is not
done. Leave that was given and not used yet is taken back.

Examples:
  flow deny latest 3f9a12c4

Exit codes: 0 denied, or something waits; 1 there is no such request, or it was answered before; 2 misuse, also inside a run.`;

/** `flow deny RUN [ID]` (V-5). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .argument('[id]', 'the request, or the beginning of its id')
      .option('--by <name>', 'who says no (default: the user)')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string, id: string | undefined) => done(await decideLeave({ command, io, run, id, verdict: 'denied' })));
  },
};
