import type { CommandModule } from './command.js';
import { decideLeave } from './leave.js';

const EXAMPLES = `
A rule of the governance contract holds a call until somebody gives leave for it. Leave is for that one call, once, and expires.
Without ID the requests of the run that wait are shown.

Examples:
  flow approve latest               what waits for leave
  flow approve latest 3f9a12c4      give leave for that call
  flow resume latest                go on with it, when the run has ended meanwhile

Exit codes: 0 granted, or something waits; 1 there is no such request, or it was answered before; 2 misuse, also inside a run.`;

/** `flow approve RUN [ID]` (V-5). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .argument('[id]', 'the request, or the beginning of its id')
      .option('--by <name>', 'who gives leave (default: the user)')
      .option('-y, --yes', 'do not ask again at a terminal')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string, id: string | undefined) => done(await decideLeave({ command, io, run, id, verdict: 'granted' })));
  },
};
