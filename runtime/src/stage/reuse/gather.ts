/** Gathers what shapes a stage's work, as it stands once `before` has run (G-12). */
import { dirname } from 'node:path';
import type { Fingerprint } from '../../ports/fingerprint.js';
import { wordOpening } from '../agent.js';
import type { Progress } from '../progress.js';
import type { StageScope } from '../scope.js';
import type { Reuse } from './reuse.js';
import { filesOf, neverReused, shapeOf, type Tree, treesInReach } from './shape.js';

/** The shape of a stage's work, and the trees as its agent found them. */
export interface Shaped {
  readonly shaped: true;
  readonly shape: string;
  readonly trees: readonly Tree[];
}

export interface Shapeless {
  readonly shaped: false;
  /** Half a sentence. */
  readonly why: string;
}

/** Rejects with a DiskError. */
export async function gatherShape(scope: StageScope, progress: Progress, reuse: Reuse): Promise<Shaped | Shapeless> {
  const { assembly, flow, stage, row, where, item, options, config, ports } = scope;
  const never = neverReused(scope);
  if (never !== null) return shapeless(never);
  if ((await ports.disk.list(dirname(scope.output))).length > 0)
    return shapeless('there is something beside its output before its agent begins');
  const model = reuse.modelOf(row.intelligence, scope.fixtureOf(stage));
  if (model === null) return shapeless('nothing tells its model from others');
  const trees = await treesOf(scope, reuse);
  if (!trees.taken) return shapeless(trees.why);
  const laidOut = await laidOutOf(scope, reuse);
  if (!laidOut.taken) return shapeless(laidOut.why);
  const { system, firstTurn, tools } = await wordOpening(scope, progress);
  const shape = shapeOf({
    record: 1,
    runtime: reuse.runtime,
    model,
    agent: { flow: flow.name, stage: stage.path, repeat: where.repeat ?? null, item: item ?? null },
    options: Object.fromEntries(Object.entries(options).map(([key, { value }]) => [key, value])),
    system,
    firstTurn,
    tools,
    files: filesOf(assembly, { stage, flow, row }),
    ...(scope.governance === null ? {} : { governance: scope.governance.files }),
    laidOut: laidOut.prints,
    trees: trees.trees,
    withheld: { scrub: config.scrub, agentEnv: config.agentEnv },
    tmpMaxBytes: assembly.tmpMaxBytes,
  });
  return { shaped: true, shape, trees: trees.trees };
}

export type Trees = { readonly taken: true; readonly trees: readonly Tree[] } | NotTaken;

type NotTaken = { readonly taken: false; readonly why: string };

/** The trees in the agent's reach as they are now. The whole working tree counts, also for a stage that works in a part of it. */
export async function treesOf({ stage, workdir, slots }: Pick<StageScope, 'stage' | 'workdir' | 'slots'>, reuse: Reuse): Promise<Trees> {
  const paths: Readonly<Record<string, string>> = { ...slots, PWD: workdir };
  const trees: Tree[] = [];
  for (const name of treesInReach(stage.access, Object.keys(paths).sort())) {
    const path = paths[name] ?? '';
    const print = await reuse.fingerprint(path);
    if (print.print === 'none') return { taken: false, why: print.why };
    trees.push([name, path, print.sha256]);
  }
  return { taken: true, trees };
}

async function laidOutOf(
  scope: StageScope,
  reuse: Reuse,
): Promise<{ readonly taken: true; readonly prints: Readonly<Record<string, string>> } | NotTaken> {
  const prints: Record<string, string> = {};
  for (const [name, path] of [
    ['INPUT', scope.input],
    ['TMP', scope.tmp],
    ['SKILLS', scope.skills],
  ] as const) {
    if ((await scope.ports.disk.look(path)) === null) continue;
    const print: Fingerprint = await reuse.fingerprint(path);
    if (print.print === 'none') return { taken: false, why: print.why };
    prints[name] = print.sha256;
  }
  return { taken: true, prints };
}

function shapeless(why: string): Shapeless {
  return { shaped: false, why };
}
