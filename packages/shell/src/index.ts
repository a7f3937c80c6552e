export { loadShellReader } from './reader.js';
export type { ShellReader, ShellResult } from './reader.js';
export type { Command, Redirect } from './command.js';
