import { relative, resolve } from 'node:path';
import { look, readSnapshot } from './disk.js';
import type { Focus, Located } from './locate.js';
import { locateWith } from './locate.js';
import { parseAssembly } from './parse.js';
import { quoted } from './read/reading.js';
import type { Refusal } from './refusals.js';
import { flowsWithin, placesOf, stagesOf } from './steps.js';
import type { Assembly, Flow } from './tree.js';

/** A sound structure, and the part of it that was named. */
export interface Read {
  readonly assembly: Assembly;
  readonly focus: { readonly flow?: string; readonly stage?: string };
}

/**
 * `root` is the absolute path that the refusals' paths are relative to. `sound` is there when the structure is sound and only names or
 * references are at fault: what else can be judged belongs into the same report (A-18).
 */
export type ReadResult =
  | ({ readonly ok: true } & Read)
  | { readonly ok: false; readonly refusals: readonly Refusal[]; readonly root: string; readonly sound?: Read };

/** Answers which root to read for a typed path and what in it is meant (A-2, O-1). Relative paths count from `base`. */
export function locate(path: string, base = '.'): Located {
  return locateWith(look, path, base);
}

/**
 * Reads the assembly that a path names, from the disk, once. The whole assembly is validated whatever part is meant; a subflow that is
 * named stands alone in `flows`, in the assembly around it. Never throws for what it finds.
 */
export async function readAssembly(path: string, base = '.'): Promise<ReadResult> {
  const located = locate(path, base);
  if (!located.ok) return located;
  const read = readSnapshot(located.root);
  if (!read.ok) return { ...read, root: located.root };
  const parsed = await parseAssembly(read.snapshot, shown(located.root, base));
  if (parsed.ok) return focused(parsed.assembly, located.focus, located.root);
  const { refusals, sound } = parsed;
  if (sound === undefined) return { ok: false, refusals, root: located.root };
  const found = focused(sound, located.focus, located.root);
  if (!found.ok) return { ...found, refusals: [...refusals, ...found.refusals] };
  return { ok: false, refusals, root: located.root, sound: { assembly: found.assembly, focus: found.focus } };
}

/** The shorter of the two ways to write the root in a command line. */
function shown(root: string, base: string): string {
  const way = relative(resolve(base), root);
  if (way === '') return '.';
  const short = way.startsWith('..') ? way : `./${way}`;
  return short.length < root.length ? short : root;
}

function focused(assembly: Assembly, focus: Focus, root: string): ReadResult {
  if (focus.flow === undefined) return { ok: true, assembly, focus: {} };
  const found =
    focus.subflow === undefined
      ? assembly.flows.find(({ name }) => name === focus.flow)
      : flowsWithin(assembly).find(({ flow }) => flow.path === focus.subflow)?.flow;
  if (!found)
    return unknown(
      root,
      `The assembly has no flow called ${quoted(focus.flow)}. Its flows are ${assembly.flows.map(({ name }) => quoted(name)).join(', ')}.`,
    );
  const seen = focus.subflow === undefined ? assembly : { ...assembly, flows: [found] };
  if (focus.stage === undefined) return { ok: true, assembly: seen, focus: { flow: found.name } };
  return focusedStage(seen, found, focus.stage, root);
}

function focusedStage(assembly: Assembly, flow: Flow, path: string, root: string): ReadResult {
  const place = placesOf(flow).find(({ step }) => step.path === path);
  if (place?.step.type === 'STAGE') return { ok: true, assembly, focus: { flow: flow.name, stage: path } };
  const why = place
    ? `${quoted(path)} is a ${place.step.type}; a whole flow or one stage can be named.`
    : `The flow ${quoted(flow.name)} has no stage ${quoted(path)}.`;
  return unknown(
    root,
    `${why} Its stages are ${stagesOf(flow)
      .map((stage) => stage.path)
      .slice(0, 20)
      .map(quoted)
      .join(', ')}.`,
  );
}

function unknown(root: string, message: string): ReadResult {
  return { ok: false, root, refusals: [{ code: 'flow-unknown', path: 'command', message }] };
}
