/** The shape of a stage's work: one hash over everything that could have shaped its output (G-12). Pure. */
import { createHash } from 'node:crypto';
import type { Access, Flow, Snapshot, Stage } from '@gated-flow/assembly';
import { compareBytes } from '@gated-flow/text';
import type { Intelligence, PlanRow } from '../../plan/plan.js';
import type { ToolSpec } from '../../ports/model.js';
import type { StageScope } from '../scope.js';

/** What answers for the model: two runs with the same would have been asked alike. */
export type ModelIdentity =
  | ({ readonly source: 'provider' } & Pick<Intelligence, 'provider' | 'model' | 'reasoning' | 'baseUrl' | 'maxOutputTokens'>)
  /** A script is the same only as a whole. */
  | { readonly source: 'scripted'; readonly script: string }
  | { readonly source: 'rehearsal'; /** In base64. */ readonly fixture: string | null };

/** A tree that the agent can reach, by the name of its slot, with its path and its fingerprint. */
export type Tree = readonly [name: string, path: string, sha256: string];

/** In the order in which the shape says them. Every field counts; one that is absent counts as that. */
export interface Ingredients {
  readonly record: 1;
  readonly runtime: string;
  readonly model: ModelIdentity;
  /** Whose work it is: of a script and of a rehearsal the answers depend on it. */
  readonly agent: { readonly flow: string; readonly stage: string; readonly repeat: number | null; readonly item: string | null };
  readonly options: Readonly<Record<string, unknown>>;
  /** As they would be sent. */
  readonly system: string;
  readonly firstTurn: string;
  readonly tools: readonly ToolSpec[];
  /** Path, hash and executable bit of every file of the assembly that belongs to the stage. */
  readonly files: readonly (readonly [path: string, sha256: string, executable: boolean])[];
  /** SHA-256 of the files of the governance contract, one that was added for the run included; absent without one. */
  readonly governance?: readonly string[];
  /** Fingerprints of `$INPUT`, `$TMP` and, where there are any, `$SKILLS`, once `before` has run. */
  readonly laidOut: Readonly<Record<string, string>>;
  readonly trees: readonly Tree[];
  /** What the home's configuration lets the agent's environment hold. */
  readonly withheld: { readonly scrub: readonly string[]; readonly agentEnv: readonly string[] };
  readonly tmpMaxBytes: number;
}

/** Lower-case hex SHA-256. */
export function shapeOf(ingredients: Ingredients): string {
  return createHash('sha256').update(JSON.stringify(ingredients)).digest('hex');
}

type Kind = Pick<StageScope, 'select' | 'question'> & { readonly flow: Pick<Flow, 'tmp'> };

/** Why the work of a stage is never reused, in half a sentence; null when it may be. */
export function neverReused({ select, question, flow }: Kind): string | null {
  if (select !== undefined) return 'what a choice selects is asked every time';
  if (question !== undefined) return 'its agent is asked whether to go on';
  return flow.tmp === 'flow' ? 'the stages of this flow share one $TMP, which its agent may fill' : null;
}

/**
 * The names of the trees that a stage's agent can look at or change, among `PWD` and the declared slots. A program sees all of them.
 * One that it may only look at counts as much as one that it may change: what it read must be what is there.
 */
export function treesInReach(access: Access | undefined, names: readonly string[]): readonly string[] {
  if (access === undefined || (access.bash ?? []).length > 0) return names;
  const allowed = new Set([access.read, access.write, access.edit].flatMap((slots) => slots ?? []).map((slot) => slot.toUpperCase()));
  return names.filter((name) => allowed.has(name));
}

/** The stage's own files, the `lib` folders and skills in its reach, and the contracts over it, in bytewise order. */
export function filesOf(
  { snapshot, ...assembly }: { readonly snapshot: Snapshot } & Contracts & { readonly lib?: string },
  { stage, flow, row }: { readonly stage: Stage; readonly flow: Pick<Flow, 'contract' | 'lib'>; readonly row: Pick<PlanRow, 'skills'> },
): Ingredients['files'] {
  const folders = [stage.entry, stage.sentinel, assembly.lib, flow.lib, ...row.skills.map(({ path }) => path)];
  const contracts = [stage.contract, flow.contract, assembly.contract, assembly.governance];
  // What contracts extend and run stands there.
  const bases = contracts.some((path) => path !== undefined) ? ['contracts'] : [];
  const roots = [...folders, ...contracts, ...bases].filter((path) => path !== undefined);
  const files: (readonly [string, string, boolean])[] = [];
  for (const entry of snapshot.entries.values()) {
    const belongs = roots.some((root) => entry.path === root || root === '.' || entry.path.startsWith(`${root}/`));
    if (belongs && entry.kind === 'file') files.push([entry.path, entry.sha256, entry.executable]);
  }
  return files.sort(([a], [b]) => compareBytes(a, b));
}

interface Contracts {
  readonly contract?: string;
  readonly governance?: string;
}
