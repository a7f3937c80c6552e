import type { Refusal } from '@gated-flow/assembly';
import { callGate } from '../gate/call.js';
import { exitOf, type StageProof } from '../gate/proof.js';
import { present } from '../plan/options/inheritable.js';
import { type RunSurroundings, worldOf } from './run.js';

/** What `flow gate` takes (K-1). Paths are as they would be typed in `cwd`. */
export interface GateRequest {
  /** A stage; or a flow or an assembly, for the fixtures of all of its stages. */
  readonly target: string;
  /** Files that must pass; none: what the stage keeps in `.fixtures/`. */
  readonly outputs?: readonly string[];
  /** What stands in `$INPUT`; else `.fixtures/input/`. */
  readonly input?: string;
  readonly home?: string;
  readonly in?: string;
  readonly slots?: Readonly<Record<string, string>>;
  /** Seconds, for each gate. */
  readonly timeout?: number;
}

/** Each file with what its checks said. `exit` is what the command would exit with: 0 all as expected, 1 not, 2 a check could not be made. */
export type GateResult =
  | { readonly ok: true; readonly exit: 0 | 1 | 2; readonly stages: readonly StageProof[]; /** By the signal. */ readonly stopped: boolean }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Judges files by the schema and the gates of a stage: no model is asked, and no record is made. Rejects with a `DiskError` only for the scratch folder. */
export async function gate(request: GateRequest, surroundings: Omit<RunSurroundings, 'onFact'>): Promise<GateResult> {
  const { target, outputs = [], slots = {}, timeout } = request;
  const gated = await callGate(
    {
      invocation: {
        target,
        slots: Object.entries(slots).map(([name, path]) => ({ name, path })),
        optionNames: [],
        options: present({ timeout: timeout?.toString() }),
        ...present({ home: request.home, in: request.in }),
      },
      outputs,
      ...present({ input: request.input }),
    },
    worldOf(surroundings),
  );
  if (!gated.ok) return gated;
  return { ok: true, exit: exitOf(gated.proofs), stages: gated.proofs, stopped: gated.stopped !== null };
}
