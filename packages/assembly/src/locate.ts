/** Which folder a typed path names (A-2, O-1). */
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Look } from './disk.js';
import { nearest } from './nearest.js';
import { quoted } from './read/reading.js';
import { FLOW_SENTINELS } from './read/names.js';
import type { Refusal, RefusalCode } from './refusals.js';

/** The part of an assembly that a path names; all absent for the whole. */
export interface Focus {
  /** A flow's name; a subflow's when `subflow` is set. */
  readonly flow?: string;
  /** The folder of a subflow that is named instead of a flow. */
  readonly subflow?: string;
  /** The path of a stage inside the flow (tree.ts, `Place.path`). */
  readonly stage?: string;
}

export type Located =
  | { readonly ok: true; readonly root: string; readonly focus: Focus }
  | { readonly ok: false; readonly root: string; readonly refusals: readonly Refusal[] };

/**
 * Answers which root to read for a path, and what in it is meant. A folder inside a real assembly is read as a part of it; a lone flow
 * or stage is a root of its own; `ASSEMBLY/x` and `ASSEMBLY/x/02-y` name the flow x and its stage. `path` is resolved against `base`.
 */
export function locateWith(look: Look, path: string, base: string): Located {
  const typed = resolve(base, path);
  const standing = look.real(typed);
  if (!standing) return locateMissing(look, typed, path);
  if (standing.kind === 'folder') return locateFolder(look, standing.path, path);
  if (standing.kind === 'file' && isSentinelOfRoot(standing.path)) return locateFolder(look, dirname(standing.path), path);
  const within = enclosing(look, dirname(standing.path));
  const focus = within === null ? null : focusIn(relative(within, standing.path));
  if (within !== null && focus?.stage !== undefined) return { ok: true, root: within, focus };
  return refused(
    'assembly-unknown',
    typed,
    `${quoted(path)} is a file, and an assembly is a folder with ASSEMBLY.md and flows/, with FLOW.md, or with STAGE.md.`,
  );
}

function isSentinelOfRoot(path: string): boolean {
  return ['ASSEMBLY.md', 'STAGE.md', ...FLOW_SENTINELS].includes(basename(path));
}

function locateFolder(look: Look, folder: string, typed: string): Located {
  if (look.names(folder).includes('ASSEMBLY.md')) return { ok: true, root: folder, focus: {} };
  const within = enclosing(look, dirname(folder));
  if (within === null || isLone(look, folder, within)) return { ok: true, root: folder, focus: {} };
  const inside = relative(within, folder);
  const focus = focusIn(inside) ?? shortFocus(look, within, inside);
  return focus ? { ok: true, root: within, focus } : unknownFlow(look, within, typed);
}

/** A flow or stage that stands outside the parts an assembly reads, such as in a folder it calls opaque. */
function isLone(look: Look, folder: string, within: string): boolean {
  const [first] = relative(within, folder).split(sep);
  return first !== 'flows' && first !== 'subflows' && ['STAGE.md', ...FLOW_SENTINELS].some((name) => look.names(folder).includes(name));
}

/** The nearest folder at or above that is a real assembly. */
function enclosing(look: Look, folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const names = look.names(at);
    if (names.includes('ASSEMBLY.md') && names.includes('flows')) return at;
    if (dirname(at) === at) return null;
  }
}

/** What a path inside an assembly names, if it leads through flows/ or subflows/. The innermost subflow counts. */
function focusIn(inside: string): Focus | null {
  const names = inside.split(sep);
  const subflows = names.lastIndexOf('subflows');
  if (subflows !== -1) {
    const flow = names[subflows + 1];
    return flow === undefined ? null : { flow, subflow: names.slice(0, subflows + 2).join('/'), ...stageOf(names.slice(subflows + 2)) };
  }
  const [first, flow, ...rest] = names;
  return first === 'flows' && flow !== undefined ? { flow, ...stageOf(rest) } : null;
}

function stageOf(names: readonly string[]): { readonly stage?: string } {
  if (names.length === 0) return {};
  return { stage: names.join('/').replace(/(?:\/STAGE)?\.md$/u, '') };
}

/** `ASSEMBLY/x`: flow x (O-1). */
function shortFocus(look: Look, assembly: string, inside: string): Focus | null {
  const [flow, ...rest] = inside.split(sep);
  return flow !== undefined && look.names(resolve(assembly, 'flows')).includes(flow) ? { flow, ...stageOf(rest) } : null;
}

function locateMissing(look: Look, path: string, typed: string): Located {
  const existing = nearestExisting(look, path);
  const within = existing === null ? null : enclosing(look, existing.path);
  if (existing === null || within === null) {
    return refused('assembly-unknown', path, `There is nothing at ${quoted(typed)}.${suggestion(look, path)}`);
  }
  const inside = relative(within, resolve(existing.path, existing.rest));
  const focus = focusIn(inside) ?? shortFocus(look, within, inside);
  return focus?.flow !== undefined && focus.subflow === undefined && look.names(resolve(within, 'flows')).includes(focus.flow)
    ? { ok: true, root: within, focus }
    : unknownFlow(look, within, typed);
}

function nearestExisting(look: Look, path: string): { readonly path: string; readonly rest: string } | null {
  for (let at = dirname(path); ; at = dirname(at)) {
    const standing = look.real(at);
    if (standing?.kind === 'folder') return { path: standing.path, rest: relative(at, path) };
    if (dirname(at) === at) return null;
  }
}

function suggestion(look: Look, path: string): string {
  const meant = nearest(basename(path), look.names(dirname(path)));
  return meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`;
}

function unknownFlow(look: Look, assembly: string, typed: string): Located {
  const flows = look.names(resolve(assembly, 'flows'));
  const meant = nearest(basename(typed), flows);
  const hint = meant === undefined ? '' : ` Did you mean ${quoted(meant)}?`;
  return refused(
    'flow-unknown',
    assembly,
    `${quoted(typed)} names no flow or stage of the assembly.${hint} Its flows are ${flows.map(quoted).join(', ')}.`,
  );
}

function refused(code: RefusalCode, root: string, message: string): Located {
  return { ok: false, root, refusals: [{ code, path: 'command', message }] };
}
