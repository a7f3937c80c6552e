import type { WarningRule } from './warning.js';

/** A governance contract that nobody enforces must not look like one that holds. */
export const governanceUnenforced: WarningRule = ({ assembly: { governance: path } }) =>
  path === undefined ? [] : [{ path, message: 'This version keeps the governance contract with the run and enforces no rule of it.' }];
