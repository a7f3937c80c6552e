/** What is different between two sealed outputs. Hashes are compared first: of equal ones nothing is read. */
import { join } from 'node:path';
import type { SealedFile, StageView } from '@gated-flow/record';
import { isUtf8 } from '@gated-flow/text';
import type { Disk } from '../ports/disk.js';
import type { OpenRun } from '../record/find-run.js';
import { runFile } from '../record/read-run.js';

export type OutputDifference =
  | { readonly kind: 'same' | 'none' }
  /** Lines of a unified diff, from its `@@` on; `omitted`: how many more there are. */
  | { readonly kind: 'text'; readonly lines: readonly string[]; readonly omitted: number }
  /** Named by sizes and hashes alone: no text, too large, too different, or withheld because a check said no. */
  | { readonly kind: 'binary' | 'large' | 'withheld' }
  | { readonly kind: 'one-sided' }
  /** The file is not what the record says, or is gone. */
  | { readonly kind: 'altered'; readonly side: 'a' | 'b'; readonly path: string };

export interface Sides {
  readonly a: { readonly stage: StageView; readonly run: OpenRun };
  readonly b: { readonly stage: StageView; readonly run: OpenRun };
}

/** Larger files are told apart by their hashes alone, in bytes. */
const TEXT_BYTES = 1 << 20;
const CONTEXT = 3;
/** Beyond so many edited lines the texts have little in common, and finding out what takes long. */
const EDITS_MAX = 4_000;

/** `most`: lines of the diff at most. Rejects with a DiskError. */
export async function outputDifference({ a, b }: Sides, disk: Disk, most: number): Promise<OutputDifference> {
  const [was, is] = [outputOf(a.stage), outputOf(b.stage)];
  if (was === null && is === null) return { kind: 'none' };
  if (was === null || is === null) return { kind: 'one-sided' };
  if (was.sha256 === is.sha256) return { kind: 'same' };
  if (a.stage.ending?.sealed !== true || b.stage.ending?.sealed !== true) return { kind: 'withheld' };
  const [before, after] = [await provenFile(a.run, was, disk), await provenFile(b.run, is, disk)];
  if (before === null) return { kind: 'altered', side: 'a', path: join(a.run.folder, was.path) };
  if (after === null) return { kind: 'altered', side: 'b', path: join(b.run.folder, is.path) };
  if (was.bytes > TEXT_BYTES || is.bytes > TEXT_BYTES) return { kind: 'large' };
  const [bytes, others] = [await disk.read(before), await disk.read(after)];
  if (!isText(bytes) || !isText(others)) return { kind: 'binary' };
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('a', 'b', textOf(bytes), textOf(others), '', '', { context: CONTEXT, maxEditLength: EDITS_MAX });
  if (patch === undefined) return { kind: 'large' };
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return { kind: 'text', lines: lines.slice(0, most), omitted: Math.max(0, lines.length - most) };
}

export function outputOf({ ending }: StageView): SealedFile | null {
  return ending?.output ?? null;
}

/** The file, when its bytes are those that the record says; read in pieces, whatever its size. */
async function provenFile(run: OpenRun, { path, sha256 }: SealedFile, disk: Disk): Promise<string | null> {
  const file = await runFile(run.folder, path, disk);
  return file !== null && (await disk.hash(file)).sha256 === sha256 ? file : null;
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
