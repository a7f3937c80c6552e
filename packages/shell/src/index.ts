export { loadShellReader } from './reader.js';
export type { ReadOptions, ShellReader, ShellResult } from './reader.js';
export type { Command, Redirect } from './command.js';
