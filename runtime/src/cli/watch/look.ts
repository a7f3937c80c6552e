/** What of the disk a watched assembly is compared by. */
import { join, resolve } from 'node:path';
import { readSnapshot, type Snapshot } from '@gated-flow/assembly';
import type { Disk } from '../../ports/disk.js';
import type { Invocation } from '../../plan/invocation.js';
import type { ModelWords } from '../../models/choose.js';
import { type Contents, contentsOf } from '../../watch/contents.js';
import { FIXTURES } from '../../watch/places.js';

/** Absolute paths of the files that are named on the command line and shape a run: the request, the task, the script. */
export function namedFiles({ request }: Pick<Invocation, 'request'>, models: ModelWords, cwd: string): readonly string[] {
  const [word = ''] = request.words;
  const asked = word.startsWith('@') && !word.startsWith('@@') ? [word.slice(1)] : [];
  const named = [...asked, ...(request.task === undefined ? [] : [request.task]), ...(models.kind === 'scripted' ? [models.file] : [])];
  return named.map((file) => resolve(cwd, file));
}

/** All of it, read anew: contents count, times do not. */
export async function lookAt(root: string, files: readonly string[], disk: Disk): Promise<Contents> {
  const read = readSnapshot(root);
  const snapshot = read.ok ? read.snapshot : null;
  const beside: (readonly [string, string])[] = [];
  for (const folder of snapshot === null ? [] : stageFolders(snapshot)) {
    const fixtures = folder === '.' ? FIXTURES : `${folder}/${FIXTURES}`;
    for await (const path of filesBelow(root, fixtures, disk)) beside.push([path, await spelled(join(root, path), disk)]);
  }
  for (const file of files) beside.push([file, await spelled(file, disk)]);
  return contentsOf(snapshot, beside);
}

function stageFolders({ entries }: Snapshot): readonly string[] {
  const stages = [...entries.keys()].filter((path) => path === 'STAGE.md' || path.endsWith('/STAGE.md'));
  return stages.map((path) => (path === 'STAGE.md' ? '.' : path.slice(0, -'/STAGE.md'.length)));
}

/** How deep fixtures are looked at: `pass/` and `fail/`, and a folder in each. */
const DEPTH = 3;

async function* filesBelow(root: string, folder: string, disk: Disk, depth = 0): AsyncGenerator<string> {
  if (depth > DEPTH || (await disk.look(join(root, folder)))?.kind !== 'folder') return;
  for (const name of await disk.list(join(root, folder)).catch(() => [])) {
    if (name.startsWith('.')) continue;
    const path = `${folder}/${name}`;
    const kind = (await disk.look(join(root, path)))?.kind;
    if (kind === 'folder') yield* filesBelow(root, path, disk, depth + 1);
    else if (kind === 'file') yield path;
  }
}

/** What cannot be read is spelled by why, so that it counts as changed once it can. */
async function spelled(path: string, disk: Disk): Promise<string> {
  const real = await disk.real(path);
  if (real === null) return 'absent';
  return disk.hash(real).then(
    ({ sha256 }) => sha256,
    (error: unknown) => String(error),
  );
}
