import type { WarningRule } from './warning.js';

/** A gate that was never shown bad work may say yes to everything. */
export const gateNeverShownToFail: WarningRule = ({ stages, facts }) =>
  stages.flatMap(({ gates, entry }) => {
    const [gate] = gates;
    if (gate === undefined || facts.provenToFail.has(entry)) return [];
    return [
      {
        path: gate.name.startsWith('gate/') && gates.length > 1 ? `${entry}/gate` : gate.path,
        message: 'Never shown to fail: put a bad output in .fixtures/fail/ beside the stage.',
      },
    ];
  });
