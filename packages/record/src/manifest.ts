import { compareBytes } from '@gated-flow/text';

/** A file of a run tree and the SHA-256 of its bytes. `path` is relative to the run's folder, `/`-separated. */
export interface HashedFile {
  readonly path: string;
  readonly sha256: string;
}

/**
 * The text that `sha256sum -c` reads: a line per file in bytewise order of the paths. A path with a backslash or a
 * line break is escaped as coreutils does it: a backslash before the hash, then `\\`, `\n` and `\r` in the name.
 */
export function formatManifest(files: readonly HashedFile[]): string {
  const sorted = [...files].sort((a, b) => compareBytes(a.path, b.path));
  return sorted.map((file) => `${sumLine(file)}\n`).join('');
}

function sumLine({ path, sha256 }: HashedFile): string {
  if (!/[\\\n\r]/.test(path)) return `${sha256}  ${path}`;
  return `\\${sha256}  ${path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}`;
}

export type ManifestLine = { readonly ok: true; readonly file: HashedFile } | { readonly ok: false; readonly line: number };

/** Every line of a manifest; one that is not in the format is told by its number, from 1. */
export function parseManifest(text: string): ManifestLine[] {
  const lines = text.split('\n');
  const torn = lines.pop() !== '';
  const parsed = lines.map((line, index) => parseLine(line) ?? { ok: false as const, line: index + 1 });
  return torn ? [...parsed, { ok: false, line: lines.length + 1 }] : parsed;
}

/** Far above what a path can take: a longer line is no line of a manifest, and is not held. */
const LINE_LIMIT = 1 << 16;

/** The same of a manifest in pieces, some lines at a time, in flat memory; after one that is too long nothing is read any more. */
export async function* parsePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly ManifestLine[]> {
  let rest: Buffer = Buffer.alloc(0);
  let before = 0;
  const parse = (text: string): ManifestLine[] => {
    const lines = parseManifest(text).map((line) => (line.ok ? line : { ...line, line: line.line + before }));
    before += lines.length;
    return lines;
  };
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(10) + 1;
    if (end > 0) yield parse(bytes.subarray(0, end).toString());
    rest = bytes.subarray(end);
    if (rest.length > LINE_LIMIT) break;
  }
  if (rest.length > 0) yield [{ ok: false, line: before + 1 }];
}

function parseLine(line: string): ManifestLine | null {
  const match = /^(\\?)([0-9a-f]{64}) [ *]([^]+)$/.exec(line);
  if (match === null) return null;
  const [, mark, sha256 = '', name = ''] = match;
  const path = mark === '' ? name : unescapeName(name);
  return path === null ? null : { ok: true, file: { path, sha256 } };
}

function unescapeName(name: string): string | null {
  if (/\\(?:[^\\nr]|$)/.test(name.replaceAll('\\\\', ''))) return null;
  return name.replaceAll(/\\([\\nr])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter === 'r' ? '\r' : '\\'));
}
