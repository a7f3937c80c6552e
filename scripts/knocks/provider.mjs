#!/usr/bin/env node
// Knocks at the built command with providers in trouble: every kind, on every protocol, at the first turn or after a
// send-back in turn. What is transient leaves no trace but its `provider_retry` lines; what stays ends the stage with the provider's
// words; nothing of it counts as the agent's work.
import { join } from 'node:path';
import { inLanes, knocks, small } from '../lib/knocks.mjs';
import { knockAt, untroubled } from '../lib/provider-knock.mjs';
import { TROUBLES } from '../lib/provider-trouble.mjs';
import { WIRES } from '../lib/wires.mjs';

await knocks({
  name: '[Q-26] provider trouble of every kind, on every protocol',
  async knock({ scratch, fault, progress }) {
    const wires = Object.values(WIRES);
    const clean = new Map();
    for (const wire of wires) clean.set(wire, await untroubled(wire, join(scratch, `clean-${wire.provider}`)));
    const kinds = small ? TROUBLES.filter((_, index) => index % 6 === 0) : TROUBLES;
    const taken = (row, column) => !small || row % wires.length === column;
    const cases = kinds.flatMap((trouble, row) =>
      wires.flatMap((wire, column) => (taken(row, column) ? [{ trouble, wire, at: (row + column) % 2 === 0 ? 0 : 2 }] : [])),
    );
    const rows = new Map(kinds.map(({ kind }) => [kind, { kind, runs: 0, ended: {}, retries: 0, violations: 0 }]));
    await inLanes(cases, async ({ trouble, wire, at }, index) => {
      const result = await knockAt({ trouble, wire, at, clean: clean.get(wire), place: join(scratch, `${index}`) });
      const row = rows.get(trouble.kind);
      row.runs += 1;
      row.ended[result.ended] = (row.ended[result.ended] ?? 0) + 1;
      row.retries += result.retries;
      row.violations += result.violations.length;
      for (const violation of result.violations) fault(`${trouble.kind}, ${wire.provider}, before turn ${at + 1}: ${violation}`);
      if (index % 40 === 39) progress(`${index + 1} of ${cases.length} runs`);
    });
    const table = [...rows.values()];
    return {
      figures: [
        { name: 'runs', value: cases.length },
        ...table.map(({ kind, runs, ended, retries, violations }) => ({
          name: kind,
          value: `${runs} runs, ${Object.entries(ended)
            .map(([cause, count]) => `${count} ${cause}`)
            .join(', ')}, ${retries} retries, ${violations === 0 ? 'no violation' : `${violations} VIOLATIONS`}`,
        })),
      ],
    };
  },
});
