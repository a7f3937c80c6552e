/** Bubblewrap's arguments (I-13). Pure. */
import type { Place } from './places.js';

/** What every contained program begins with, and what a probe tries. */
const BASE = [
  ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--die-with-parent', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'],
];

export interface Wrapping {
  /** As `arrange` gives them. */
  readonly places: readonly Place[];
  readonly network: boolean;
  /** An empty file that stands for every hidden one: absolute. */
  readonly emptyFile: string;
  readonly cwd: string;
}

export function wrappingArguments({ places, network, emptyFile, cwd }: Wrapping): readonly string[] {
  const hidden = places.filter(({ sight, kind }) => sight === 'hidden' && kind === 'folder');
  return [
    ...baseArguments(network),
    ...places.flatMap((place) => placeArguments(place, emptyFile)),
    // Last: what lies deeper needs its folder made in them first.
    ...hidden.flatMap(({ path }) => ['--remount-ro', path]),
    ...['--chdir', cwd],
  ];
}

/** What tells whether programs can be contained at all. */
export function baseArguments(network: boolean): readonly string[] {
  return network ? BASE : [...BASE, '--unshare-net'];
}

function placeArguments({ path, kind, sight, from = path, optional }: Place, emptyFile: string): readonly string[] {
  if (sight === 'hidden' && kind === 'file') return ['--ro-bind', emptyFile, path];
  if (sight === 'hidden' || sight === 'private') return ['--tmpfs', path];
  return [`--${sight === 'readable' ? 'ro-bind' : 'bind'}${optional ? '-try' : ''}`, from, path];
}
