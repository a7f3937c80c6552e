/** Which places there are for the programs of one stage (I-13). */
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import type { Snapshot } from '@gated-flow/assembly';
import { isWithin } from '../agent/tools/place.js';
import type { Disk } from '../ports/disk.js';
import { credentialPaths, STARTING_FILES } from './credentials.js';
import { quiet } from './quiet.js';
import type { Place, Sight } from './places.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is the same for all stages of a run. Paths are absolute. */
export interface RunPlaces {
  readonly env: Environment;
  /** The user's home folders, as the environment and the system say. */
  readonly homes: readonly string[];
  /** The system's folder for temporary files. */
  readonly temporary: string;
  /** The home of `flow`, and the run's own folder. */
  readonly ours: readonly string[];
  /** The assembly as it was read. */
  readonly snapshot: Snapshot;
  readonly network: boolean;
  readonly disk: Pick<Disk, 'look' | 'list' | 'readHead' | 'real' | 'remove'>;
}

/** What one pass of a stage has. */
export interface StagePlaces {
  readonly pwd: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** What git obeys in the working tree. */
  readonly repositories: readonly Place[];
}

/** Places in rising precedence, for `arrange`. Rejects with a DiskError. */
export async function layoutOf(run: RunPlaces, stage: StagePlaces): Promise<readonly Place[]> {
  const { disk, env, homes, snapshot } = run;
  const pwd = await realOr(stage.pwd, disk);
  const put = (sight: Sight, paths: readonly string[]): Promise<readonly Place[]> => existing(paths, sight, disk);
  const emptied = [...(await put('hidden', credentialPaths(env, homes))), ...(await put('private', privateFolders(run)))];
  return [
    ...emptied,
    ...(await returned(run, emptied)),
    ...(await put('readable', stage.readable)),
    ...(await put('writable', [...stage.writable, pwd])),
    ...(await put('readable', homes.includes(pwd) ? STARTING_FILES.map((name) => join(pwd, name)) : [])),
    ...stage.repositories,
    ...(await put('hidden', [...run.ours, ...assemblyPaths(snapshot, { root: await realOr(snapshot.root, disk), pwd })])),
  ];
}

/** Where things of many programs lie: their sockets, and the scratch of other runs. A program gets empty ones of its own. */
function privateFolders({ env, homes, temporary }: RunPlaces): readonly string[] {
  const named = [env['XDG_CACHE_HOME'] ?? '', env['XDG_RUNTIME_DIR'] ?? '', temporary];
  return [
    '/tmp',
    '/var/tmp',
    '/run',
    ...homes.map((home) => join(home, '.cache')),
    ...named.filter((path) => isAbsolute(path) && path !== '/'),
  ];
}

/** What programs cannot do without, although it stands in such a folder: what `PATH` leads to, and how names are resolved. */
async function returned({ env, network, disk }: RunPlaces, emptied: readonly Place[]): Promise<readonly Place[]> {
  const gone = emptied.map(({ path }) => path);
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => isAbsolute(folder));
  const wanted = [...folders.map((folder) => prefixOf(normalize(folder), gone)), '/run/current-system', '/run/opengl-driver'];
  const places = await Promise.all(
    [...new Set(wanted)].map(async (path): Promise<readonly Place[]> => {
      if (gone.includes(path) || !gone.some((folder) => isWithin(path, folder))) return [];
      const real = await quiet(disk.real(path));
      const found = real === null ? null : await quiet(disk.look(real));
      return real === null || found?.kind !== 'folder' ? [] : [{ path, kind: 'folder', sight: 'readable', from: real, optional: true }];
    }),
  );
  const resolver = network ? await quiet(disk.real('/etc/resolv.conf')) : null;
  return [...places.flat(), ...(resolver === null ? [] : [{ path: resolver, kind: 'file', sight: 'readable' } as const])];
}

/** A program needs what stands beside its `bin`. */
function prefixOf(folder: string, gone: readonly string[]): string {
  const path = folder.endsWith('/') ? folder.slice(0, -1) : folder;
  const above = dirname(path);
  return path.endsWith('/bin') && !gone.includes(above) ? above : path;
}

/** The assembly's folder, or, when work is done in it, whatever in it belongs to the assembly. */
function assemblyPaths({ children }: Snapshot, { root, pwd }: { readonly root: string; readonly pwd: string }): readonly string[] {
  if (!isWithin(pwd, root)) return [root];
  const inside = relative(root, pwd);
  const own = [...children(inside === '' ? '.' : inside).map(({ path }) => join(root, path)), join(pwd, '.fixtures')];
  return inside === '' ? own : [root, ...own];
}

async function existing(paths: readonly string[], sight: Sight, disk: RunPlaces['disk']): Promise<readonly Place[]> {
  const found = await Promise.all(
    [...new Set(paths)].map(async (path): Promise<readonly Place[]> => {
      const real = await quiet(disk.real(path));
      const standing = real === null ? null : await quiet(disk.look(real));
      return real === null || standing === null ? [] : [{ path: real, kind: standing.kind === 'folder' ? 'folder' : 'file', sight }];
    }),
  );
  return found.flat();
}

/** The real path; of what is not there, the path itself. */
export async function realOr(path: string, disk: RunPlaces['disk']): Promise<string> {
  return (await quiet(disk.real(path))) ?? path;
}
