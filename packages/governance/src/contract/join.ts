import { STAGE_NAMES } from '../events.js';
import type { GovernanceContract, GovernanceFault } from './contract.js';

/** All contracts at once: every rule of each counts, so that the strictest wins whatever their order (V-1). */
export function joinContracts(first: GovernanceContract, others: readonly GovernanceContract[]): GovernanceContract {
  const all = [first, ...others];
  return {
    name: first.name,
    lane: all.find(({ lane }) => lane !== null)?.lane ?? null,
    files: all.flatMap(({ files }) => files),
    stages: new Set(STAGE_NAMES.filter((name) => all.some(({ stages }) => stages.has(name)))),
    profile: all.some(({ profile }) => profile === 'extended_governance') ? 'extended_governance' : 'compact_runtime',
    expandOnlyFor: [...new Set(all.flatMap(({ expandOnlyFor }) => expandOnlyFor))],
    routes: all.flatMap(({ routes }) => routes),
    preTool: all.flatMap(({ preTool }) => preTool),
    fileTool: all.flatMap(({ fileTool }) => fileTool),
    memory: all.flatMap(({ memory }) => memory),
    research: all.flatMap(({ research }) => research),
    claims: all.flatMap(({ claims }) => claims),
    expiresSeconds: Math.min(...all.map(({ expiresSeconds }) => expiresSeconds)),
    acceptance: all.flatMap(({ acceptance }) => acceptance),
    notEnforced: all.flatMap(({ notEnforced }) => notEnforced),
  };
}

/** A gate that a route requires has to be there, or it could not be enforced (V-6). */
export function missingGates({ routes, stages, files }: GovernanceContract): readonly GovernanceFault[] {
  return routes.flatMap(({ id, required_gates }) =>
    required_gates.flatMap((gate) => {
      const known = STAGE_NAMES.find((name) => name === gate);
      if (known === undefined || stages.has(known)) return [];
      const message = `The route "${id}" requires the gate "${gate}", and no contract has "stages.${gate}". Add it.`;
      return [{ file: files[0]?.path ?? '', line: 1, column: 1, message }];
    }),
  );
}
