/** What a watched assembly holds at a moment, and what became different. Contents count, times do not. Pure. */
import { nameOf, type Snapshot } from '@gated-flow/assembly';
import { compareBytes } from '@gated-flow/text';

export interface Contents {
  /** By path in the assembly, or absolute for a file beside it: what stands there, spelled so that any change of it is another text. */
  readonly entries: ReadonlyMap<string, string>;
  /** Names at the root that are no part of it. */
  readonly opaque: readonly string[];
}

export interface Change {
  readonly change: 'added' | 'removed' | 'changed' | 'mode' | 'renamed';
  readonly path: string;
  /** Of what was renamed: where it stood. */
  readonly from?: string;
}

/** `beside`: fixtures and single files that count, by path. `snapshot` null: the root cannot be read, as when it is gone. */
export function contentsOf(snapshot: Snapshot | null, beside: Iterable<readonly [string, string]>): Contents {
  const entries = new Map<string, string>(beside);
  for (const entry of snapshot?.entries.values() ?? []) {
    if (entry.kind === 'file') entries.set(entry.path, `${entry.sha256}${entry.executable ? ':x' : ''}`);
    else if (entry.kind === 'folder') entries.set(entry.path, FOLDER);
    else entries.set(entry.path, `${entry.kind} ${entry.detail}`);
  }
  return { entries, opaque: snapshot?.opaque ?? [] };
}

const FOLDER = 'folder';

/** By path. A file that went while another of the same bytes came was renamed. */
export function changesBetween(before: Contents, after: Contents): readonly Change[] {
  const changes: Change[] = [];
  const gone = new Map<string, string>();
  for (const [path, was] of before.entries) {
    const is = after.entries.get(path);
    if (is === undefined) gone.set(path, was);
    else if (is !== was) changes.push({ change: bytesOf(is) === bytesOf(was) ? 'mode' : 'changed', path });
  }
  const goneBytes = new Map([...gone].filter(([, was]) => was !== FOLDER).map(([path, was]) => [bytesOf(was), path]));
  for (const [path, is] of after.entries) {
    if (before.entries.has(path)) continue;
    const from = goneBytes.get(bytesOf(is));
    if (from === undefined) changes.push({ change: 'added', path });
    else {
      changes.push({ change: 'renamed', path, from });
      gone.delete(from);
      goneBytes.delete(bytesOf(is));
    }
  }
  for (const path of gone.keys()) changes.push({ change: 'removed', path });
  return changes.sort((a, b) => compareBytes(a.path, b.path));
}

function bytesOf(spelled: string): string {
  return spelled.replace(/:x$/, '');
}

/** Of a long list, what a person wants to read: a folder that came or went says what came or went in it. */
export function withoutInner(changes: readonly Change[], { entries }: Contents, before: Contents): readonly Change[] {
  const whole = changes.filter(({ change, path }) => isFolder(change === 'removed' ? before : { entries, opaque: [] }, path));
  const inner = (change: Change): boolean =>
    whole.some((folder) => folder !== change && folder.change === change.change && change.path.startsWith(`${folder.path}/`));
  return whole.length === 0 ? changes : changes.filter((change) => !inner(change));
}

function isFolder({ entries }: Contents, path: string): boolean {
  return entries.get(path) === FOLDER;
}

/** Whether a visible name is one that an editor uses while it saves, or leaves behind: `4913`, `x.md~`, `#x#`, `x.swp`, `x___jb_tmp___`. */
function isLeftover(name: string): boolean {
  return name === '4913' || /^#.*#$/su.test(name) || /(?:~|\.sw[a-z]|\.tmp|___jb_(?:tmp|old)___)$/su.test(name);
}

/** Paths of such entries: they may be gone in a moment. */
export function leftoversIn({ entries }: Contents): readonly string[] {
  return [...entries.keys()].filter((path) => isLeftover(nameOf(path)));
}
