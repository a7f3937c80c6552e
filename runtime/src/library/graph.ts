import { basename } from 'node:path';
import { readAssembly, type Refusal } from '@gated-flow/assembly';
import { type Picture, pictureOf } from '../picture/picture.js';
import { selectFlow } from '../plan/select.js';

/** What a flow looks like: its steps, their checks, and which subflows they may call. Plain data, as `flow graph --format json` prints it. */
export type GraphResult = { readonly ok: true; readonly picture: Picture } | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Reads a folder, and nothing else (G-10). `route`: all of its flows, as the assembly agent sees them. `pictureSvg`, `pictureMermaid` and `pictureText` draw it. */
export async function graph(path: string, { route = false }: { readonly route?: boolean } = {}): Promise<GraphResult> {
  const read = await readAssembly(path);
  if (!read.ok) return { ok: false, refusals: read.refusals };
  const { assembly, focus } = read;
  return { ok: true, picture: pictureOf(assembly, selectFlow(assembly, focus, route), basename(assembly.snapshot.root)) };
}
