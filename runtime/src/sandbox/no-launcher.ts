/** Why nothing can be contained here, in words for a person, and what helps. Pure. */
import type { LauncherFound } from '../ports/containment.js';

export interface NoLauncher {
  /** What was found, half a sentence. */
  readonly what: string;
  readonly why: string;
  /** The command that repairs it. */
  readonly fix?: string;
}

const INSTALL: readonly (readonly [system: string, command: string])[] = [
  ['debian', 'apt-get install bubblewrap'],
  ['ubuntu', 'apt-get install bubblewrap'],
  ['fedora', 'dnf install bubblewrap'],
  ['rhel', 'dnf install bubblewrap'],
  ['arch', 'pacman -S bubblewrap'],
  ['alpine', 'apk add bubblewrap'],
  ['suse', 'zypper install bubblewrap'],
  ['opensuse', 'zypper install bubblewrap'],
  ['nixos', 'nix-env -iA nixos.bubblewrap'],
  ['gentoo', 'emerge sys-apps/bubblewrap'],
  ['void', 'xbps-install bubblewrap'],
];
const ANYWHERE = 'apt-get install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap or apk add bubblewrap';
const CONTAINER =
  'docker run --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined …';

export function explainNoLauncher(found: Exclude<LauncherFound, { found: 'works' }>): NoLauncher {
  switch (found.found) {
    case 'elsewhere':
      return {
        what: `bubblewrap is for Linux alone, and this is ${found.platform}`,
        why: 'Run flow in a virtual machine or a container that holds nothing else.',
      };
    case 'absent':
      return {
        what: 'bubblewrap (bwrap) is not on the PATH',
        why: 'It contains what is run.',
        fix: INSTALL.find(([system]) => found.systems.includes(system))?.[1] ?? ANYWHERE,
      };
    case 'forbidden':
      return { what: `bubblewrap is there, but may not contain anything: ${found.said}`, ...permission(found) };
  }
}

function permission({ container, setting }: { readonly container: boolean; readonly setting: string | null }): Omit<NoLauncher, 'what'> {
  if (setting !== null) return { why: 'The kernel forbids user namespaces to ordinary users here.', fix: `sysctl -w ${setting}` };
  if (container) return { why: 'A plain container forbids namespaces to what runs in it.', fix: CONTAINER };
  return { why: 'Containers and some CI machines forbid user namespaces.' };
}
