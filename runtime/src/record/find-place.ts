/** What a word names inside a run: a stage, a container, a child run, or any of these inside a child run. */
import { type ContainerNode, type RunView, runTree, type StageView, type SubflowView, type TreeNode } from '@gated-flow/record';
import { pickStages } from '../views/pick-stage.js';
import { type ChildPorts, childWord, readChild } from './child-run.js';
import type { OpenRun } from './find-run.js';

export type Place =
  | { readonly place: 'stage'; readonly run: OpenRun; readonly view: RunView; readonly stages: readonly [StageView, ...StageView[]] }
  | { readonly place: 'container'; readonly run: OpenRun; readonly view: RunView; readonly node: ContainerNode }
  /** A child run as a whole. */
  | { readonly place: 'run'; readonly run: OpenRun; readonly view: RunView }
  | { readonly place: 'none'; readonly message: string };

/**
 * `02-draft`, `draft`, `02-loop/01-draft`; `06-map/j01` for the child run of an item, `05-list/2` for the second that a stage called,
 * `05-list@3/2` in the stage's third repeat (else the last); and after such a word a `/` and what is meant inside: `06-map/j01/01-say`.
 */
export async function findPlace(
  word: string,
  { view, run }: { readonly view: RunView; readonly run: OpenRun },
  ports: ChildPorts,
): Promise<Place> {
  const picked = pickStages(view, word);
  if (picked.ok) return { place: 'stage', run, view, stages: picked.stages };
  const call = callOf(view, word);
  if (call !== null) return inside(call, { view, run }, ports);
  const node = containerAt(runTree(view), word);
  return node === null ? { place: 'none', message: picked.message } : { place: 'container', run, view, node };
}

interface Named {
  readonly call: SubflowView;
  /** What is said of it, empty when the child itself is meant. */
  readonly rest: string;
}

async function inside(
  { call, rest }: Named,
  { run }: { readonly view: RunView; readonly run: OpenRun },
  ports: ChildPorts,
): Promise<Place> {
  const child = await readChild(run, call, ports);
  if (child.view === null) {
    const why = child.state === 'missing' ? 'its record is not in this folder' : 'its record has no first line that can be read';
    return { place: 'none', message: `The child run ${childWord(call)} cannot be shown: ${why}.` };
  }
  const at = { view: child.view, run: child.run };
  return rest === '' ? { place: 'run', ...at } : findPlace(rest, at, ports);
}

/** The call with the longest name that the word begins with; of several repeats the last, unless one is said. */
function callOf({ subflows }: RunView, word: string): Named | null {
  let best: Named | null = null;
  let length = 0;
  for (const call of subflows) {
    const { stage, n, item } = call;
    for (const name of [childWord(call), ...[n, ...(item === undefined ? [] : [item])].map((last) => `${stage ?? ''}/${last}`)]) {
      if ((word !== name && !word.startsWith(`${name}/`)) || name.length < length) continue;
      best = { call, rest: word.slice(name.length + 1) };
      length = name.length;
    }
  }
  return best;
}

function containerAt(nodes: readonly TreeNode[], path: string): ContainerNode | null {
  for (const node of nodes) {
    if (node.kind === 'stage') continue;
    if (node.kind === 'container' && node.path === path) return node;
    const found = containerAt(node.contents, path);
    if (found !== null) return found;
  }
  return null;
}
