import type { ProcessMark } from '../ports/processes.js';

/** The text of a lock file. */
export function lockText(mark: ProcessMark): string {
  return `${JSON.stringify({ pid: mark.pid, started: mark.started, boot: mark.boot })}\n`;
}

/** The holder of a lock, or null when the text is not one. */
export function parseLock(text: string): ProcessMark | null {
  return markOf(parse(text));
}

export function groupLine(leader: ProcessMark): string {
  return `${JSON.stringify({ group: leader.pid, started: leader.started, boot: leader.boot })}\n`;
}

export function scratchLine(path: string): string {
  return `${JSON.stringify({ scratch: path })}\n`;
}

/** What a run noted while it lived: process groups by their leaders, and scratch folders. */
export interface LeftBehind {
  readonly groups: readonly ProcessMark[];
  readonly scratch: readonly string[];
}

/** Reads `groups.jsonl`; a torn or foreign line is passed over. */
export function parseGroups(text: string): LeftBehind {
  const groups: ProcessMark[] = [];
  const scratch: string[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const value = parse(line);
    if (typeof value !== 'object' || value === null) continue;
    if ('scratch' in value && typeof value.scratch === 'string') scratch.push(value.scratch);
    else if ('group' in value) {
      const mark = markOf({ ...value, pid: value.group });
      if (mark !== null) groups.push(mark);
    }
  }
  return { groups, scratch };
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
