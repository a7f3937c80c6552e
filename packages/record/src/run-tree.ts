/** The stages and containers of a run as the tree that was walked: by their paths, in the order of execution. Pure. */
import { compareBytes } from '@gated-flow/text';
import type { ContainerView, RunView, StageView, SubflowView } from './run-view.js';

export type TreeNode = StageNode | ContainerNode | PassNode;

interface Inner {
  /** The last part of the path. */
  readonly name: string;
  /** The path in the flow. */
  readonly path: string;
  /** Of what stands inside a loop. */
  readonly repeat?: number;
}

export interface StageNode extends Inner {
  readonly kind: 'stage';
  readonly stage: StageView;
  /** The child runs it called, by their numbers. */
  readonly calls: readonly SubflowView[];
}

export interface ContainerNode extends Inner {
  readonly kind: 'container';
  /** Null as long as it is not over and its contents do not tell what it is. */
  readonly type: ContainerView['type'] | null;
  /** Null until it is over; a fan-out's is there from its start. */
  readonly view: ContainerView | null;
  /** The agent of a choice. */
  readonly agent: StageView | null;
  readonly calls: readonly SubflowView[];
  readonly contents: readonly TreeNode[];
}

/** One repeat of a loop, a branch or an alternative that is a folder of stages. */
export interface PassNode extends Inner {
  readonly kind: 'pass';
  readonly contents: readonly TreeNode[];
}

/** Where nodes are put while the tree grows: `nodes` is the contents of the node that the level belongs to. */
interface Level {
  readonly nodes: TreeNode[];
  readonly inner: Map<string, Level>;
}

interface Place {
  readonly path: string;
  readonly repeat?: number | undefined;
}

/** Everything that a view tells of, whatever it tells of: also of a run that is not over. */
export function runTree(view: Pick<RunView, 'stages' | 'containers' | 'subflows'>): readonly TreeNode[] {
  const { stages, containers } = view;
  const root = level();
  const holders = new Set([
    ...containers.map(({ stage }) => stage),
    ...[...containers, ...stages].flatMap(({ stage }) => prefixesOf(stage)),
  ]);
  const loops = new Set(containers.flatMap(({ type, stage }) => (type === 'LOOP' ? [stage] : [])));

  const agents = stages.filter(({ stage }) => holders.has(stage));
  const make = makerOf(view, agents);
  for (const { stage: path, repeat } of [...containers, ...agents])
    enter(levelOf({ path, repeat }), keyOf(lastOf(path), repeat), () => make.container({ path, repeat }));
  for (const stage of stages) {
    if (holders.has(stage.stage)) continue;
    const place = { path: stage.stage, repeat: stage.repeat };
    levelOf(place).nodes.push(make.stage(place, stage));
  }
  return sorted(root);

  function levelOf({ path, repeat }: Place): Level {
    const loop = repeat === undefined ? undefined : loopOf(path, loops);
    let at = root;
    let inside: number | undefined;
    for (const prefix of prefixesOf(path)) {
      const place = { path: prefix, repeat: inside };
      at = enter(at, keyOf(lastOf(prefix), inside), () =>
        make.isContainer(prefix) ? make.container(place) : passAt(lastOf(prefix), place),
      );
      if (prefix !== loop) continue;
      inside = repeat;
      at = enter(at, `repeat ${repeat ?? 1}`, () => passAt(`repeat ${repeat ?? 1}`, { path: prefix, repeat }));
    }
    return at;
  }
}

function level(): Level {
  return { nodes: [], inner: new Map() };
}

type Holder = (ContainerNode | PassNode) & { readonly contents: readonly TreeNode[] };

/** What stands in the node of that key, which is made when there is none. */
function enter({ nodes, inner }: Level, key: string, make: () => Holder): Level {
  const known = inner.get(key);
  if (known !== undefined) return known;
  const made = level();
  inner.set(key, made);
  nodes.push({ ...make(), contents: made.nodes });
  return made;
}

function makerOf({ containers, subflows }: Pick<RunView, 'containers' | 'subflows'>, agents: readonly StageView[]) {
  const calls = groupBy(subflows, ({ stage = '', repeat }) => keyOf(stage, repeat));
  const views = new Map(containers.map((view) => [keyOf(view.stage, view.repeat), view]));
  const paths = new Set(containers.map(({ stage }) => stage));
  const agentAt = new Map(agents.map((stage) => [keyOf(stage.stage, stage.repeat), stage]));
  return {
    isContainer: (path: string): boolean => paths.has(path) || isNumbered(lastOf(path)),
    container(place: Place): ContainerNode {
      const key = keyOf(place.path, place.repeat);
      const view = views.get(key) ?? null;
      const agent = agentAt.get(key) ?? null;
      const type = view?.type ?? (agent === null ? null : 'CHOOSE');
      return { kind: 'container', ...placed(place), type, view, agent, calls: calls.get(key) ?? [], contents: [] };
    },
    stage: (place: Place, stage: StageView): StageNode => ({
      kind: 'stage',
      ...placed(place),
      stage,
      calls: calls.get(keyOf(place.path, place.repeat)) ?? [],
    }),
  };
}

function passAt(name: string, { path, repeat }: Place): PassNode {
  return { ...placed({ path, repeat }), kind: 'pass', name, contents: [] };
}

function placed({ path, repeat }: Place): Inner {
  return { name: lastOf(path), path, ...(repeat === undefined ? {} : { repeat }) };
}

function sorted({ nodes, inner }: Level): TreeNode[] {
  for (const within of inner.values()) sorted(within);
  return nodes.sort(inOrder);
}

/** Numbered steps and repeats by their numbers, branches by their names: the order in which they begin. */
function inOrder(a: TreeNode, b: TreeNode): number {
  if (a.kind === 'pass' && b.kind === 'pass' && a.path === b.path) return (a.repeat ?? 1) - (b.repeat ?? 1);
  return numberOf(a.name) - numberOf(b.name) || compareBytes(a.name, b.name);
}

function numberOf(name: string): number {
  return Number(/^(\d{1,9})-/.exec(name)?.[1] ?? 0);
}

/**
 * The loop that a repeat counts: loops never stand in loops. One that is not over yet is told by its contents: of the folders on the
 * way the first that is a numbered step and holds numbered steps, else the first that holds them.
 */
function loopOf(path: string, loops: ReadonlySet<string>): string | undefined {
  const prefixes = prefixesOf(path);
  const known = prefixes.find((prefix) => loops.has(prefix));
  if (known !== undefined) return known;
  const holding = prefixes.filter((prefix) => isNumbered(path.slice(prefix.length + 1)));
  return holding.find((prefix) => isNumbered(lastOf(prefix))) ?? holding[0];
}

/** Longer than any path that a folder has. */
const PATH_MAX = 4096;

/** `a`, `a/b` of `a/b/c`. */
function prefixesOf(path: string): string[] {
  if (path.length > PATH_MAX) return [];
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isNumbered(name: string): boolean {
  return /^\d{1,9}-/.test(name);
}

function keyOf(stage: string, repeat: number | undefined): string {
  return repeat === undefined ? stage : `${stage}\0${repeat}`;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
