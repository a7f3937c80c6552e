/** Whether a run may rely on denials: each moment of its contract has been seen to honour one (V-10). */
import type { Refusal } from '@gated-flow/assembly';
import type { StageName } from '@gated-flow/governance';
import { commandInvalid } from '../plan/refusal.js';
import type { Prepared } from '../plan/prepare.js';
import type { Probe } from '../governance/probe/kept.js';
import type { Machine } from './machine.js';

export type Honouring =
  { readonly ok: true; readonly advisory: readonly StageName[] } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** The probe is made once for each version in a home. Rejects with a DiskError. */
export async function findHonoured({ plan, home }: Prepared, accepted: boolean, machine: Machine): Promise<Honouring> {
  const { governance } = plan;
  if (governance === null) return { ok: true, advisory: [] };
  const { BUILT_IN, readProbe } = await import('../governance/probe/kept.js');
  const kept = await readProbe(home, { row: BUILT_IN, version: machine.version }, machine.disk);
  const probe = kept ?? (accepted ? null : await probeAndKeep(home, machine));
  const advisory = [...governance.contract.stages].filter((stage) => probe?.moments[stage] !== 'observed');
  if (advisory.length === 0 || accepted) return { ok: true, advisory };
  const message = `Nobody has seen here that a denial is honoured at ${advisory.join(', ')}: the contract would be advisory there. flow governance probe says what was tried; --accept-advisory goes on all the same.`;
  return { ok: false, refusals: [commandInvalid('governance-invalid', message)] };
}

async function probeAndKeep(home: string, machine: Machine): Promise<Probe> {
  const { probeBuiltIn } = await import('../governance/probe/probe.js');
  const { keepProbe } = await import('../governance/probe/kept.js');
  const probe = await probeBuiltIn(machine);
  await keepProbe(home, probe, machine.disk);
  return probe;
}
