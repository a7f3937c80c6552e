import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { FindLauncher, Forbidden, Launcher, LauncherFound } from '../../ports/containment.js';
import { baseArguments } from '../../sandbox/arguments.js';
import { findProgram } from '../probe/probe.js';
import { askProgram } from '../probe/program.js';
import { keeperOf, PERL_FILE } from './keeper.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The port on this machine. A real program is contained and has to end as it should. */
export function launcherFinder(env: Environment): FindLauncher {
  return async (network): Promise<LauncherFound> => {
    if (process.platform !== 'linux') return { found: 'elsewhere', platform: process.platform };
    const file = await findProgram('bwrap', env['PATH'] ?? '');
    if (file === null) return { found: 'absent', systems: systems() };
    const launcher: Launcher = { file, keeper: keeperOf(mayExecute(PERL_FILE)), home: userInfo().homedir };
    const asked = await askProgram([file, ...baseArguments(network), '--', ...launcher.keeper, 'sh', '-c', 'exit 7'], env);
    if (asked.asked === 'answered' && asked.exit === 7) return { found: 'works', launcher };
    return forbidden(asked.asked === 'answered' ? asked.text : 'it does not answer');
  };
}

function forbidden(text: string): Forbidden {
  const lines = text.trim().split('\n');
  const said = lines.find((line) => line.startsWith('bwrap: '))?.slice('bwrap: '.length) ?? lines[0] ?? '';
  const container = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  return { found: 'forbidden', said, container, setting: SETTINGS.find(([file, value]) => textOf(file).trim() === value)?.[2] ?? null };
}

/** Where the kernel says that user namespaces are forbidden, how it says so, and what allows them. */
const SETTINGS = [
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1', 'kernel.apparmor_restrict_unprivileged_userns=0'],
  ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'kernel.unprivileged_userns_clone=1'],
  ['/proc/sys/user/max_user_namespaces', '0', 'user.max_user_namespaces=15000'],
] as const;

function systems(): readonly string[] {
  const lines = textOf('/etc/os-release').split('\n');
  return ['ID', 'ID_LIKE'].flatMap((key) => {
    const value = lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
    return value === undefined ? [] : value.replaceAll('"', '').trim().split(/\s+/);
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function mayExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
