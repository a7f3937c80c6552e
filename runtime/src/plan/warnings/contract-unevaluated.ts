import type { WarningRule } from './warning.js';

/** A contract that nobody evaluates must not look like one that holds. */
export const contractUnevaluated: WarningRule = ({ assembly, flow, stages }) => {
  const places = [assembly.contract, assembly.governance, flow?.contract, ...stages.map(({ contract }) => contract)];
  return [...new Set(places)].flatMap((path) =>
    path === undefined ? [] : [{ path, message: 'This version keeps the contract with the run and evaluates no clause of it.' }],
  );
};
