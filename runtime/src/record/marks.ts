import type { ProcessMark, ProcessPlace } from '../ports/processes.js';

/** The text of a lock file. One that does not say where its holder lives is left alone for ever by whoever sweeps. */
export function lockText(mark: ProcessMark, place?: ProcessPlace): string {
  return `${JSON.stringify({ pid: mark.pid, started: mark.started, boot: mark.boot, host: place?.host, space: place?.space })}\n`;
}

/** The holder of a lock, or null when the text is not one. */
export function parseLock(text: string): ProcessMark | null {
  return markOf(parse(text));
}

/** Where the holder of a lock lives, or null when the text does not say. */
export function parsePlace(text: string): ProcessPlace | null {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || !('host' in value) || !('space' in value)) return null;
  const { host, space } = value;
  return typeof host === 'string' && isTextOrNull(space) ? { host, space } : null;
}

export function groupLine(leader: ProcessMark): string {
  return `${JSON.stringify({ group: leader.pid, started: leader.started, boot: leader.boot })}\n`;
}

export function scratchLine(path: string): string {
  return `${JSON.stringify({ scratch: path })}\n`;
}

/** A git worktree of a run's own, and the folder of the repository it was made from: absolute. */
export interface KeptTree {
  readonly folder: string;
  readonly from: string;
}

export function treeLine({ folder, from }: KeptTree): string {
  return `${JSON.stringify({ worktree: folder, from })}\n`;
}

/** What a run noted while it lived: process groups by their leaders, scratch folders, and a working tree of its own. */
export interface LeftBehind {
  readonly groups: readonly ProcessMark[];
  readonly scratch: readonly string[];
  readonly trees: readonly KeptTree[];
}

/** Reads `groups.jsonl`; a torn or foreign line is passed over. */
export function parseGroups(text: string): LeftBehind {
  const groups: ProcessMark[] = [];
  const scratch: string[] = [];
  const trees: KeptTree[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const value = parse(line);
    if (typeof value !== 'object' || value === null) continue;
    if ('scratch' in value && typeof value.scratch === 'string') scratch.push(value.scratch);
    else if ('worktree' in value) trees.push(...treeOf(value));
    else if ('group' in value) {
      const mark = markOf({ ...value, pid: value.group });
      if (mark !== null) groups.push(mark);
    }
  }
  return { groups, scratch, trees };
}

function treeOf({ worktree, from }: { readonly worktree: unknown; readonly from?: unknown }): KeptTree[] {
  return typeof worktree === 'string' && typeof from === 'string' ? [{ folder: worktree, from }] : [];
}

function markOf(value: unknown): ProcessMark | null {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value) || !('boot' in value)) return null;
  const { pid, started, boot } = value;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  return isTextOrNull(started) && isTextOrNull(boot) ? { pid, started, boot } : null;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
