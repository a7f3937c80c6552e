import type { CommandEntry } from './command.js';

/** Every command, in the order of the help. A command's code is loaded only when it is named. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'run', summary: 'run a folder; the output goes to standard output', load: async () => (await import('./run.js')).command },
  {
    name: 'check',
    summary: 'read everything, print the plan, warn; no model, no record',
    load: async () => (await import('./check.js')).command,
  },
];
