import type { FolderFacts } from '../ports/probe.js';
import { findingsOf, type Finding } from './finding.js';
import { bytes, quoted } from './words.js';

export interface HomeFacts {
  /** Absolute; null when nothing says where it is. */
  readonly home: string | null;
  /** What said it: `--home`, `FLOW_HOME`, … */
  readonly said: string;
  readonly folder: FolderFacts | null;
  /** Runs that ended without saying so; null when they could not be counted. */
  readonly crashed: { readonly count: number; readonly looked: number; readonly whole: boolean } | null;
  /** How many runs are kept; null when they could not be counted. */
  readonly runs: number | null;
  /** Where scratch goes while a run goes on (S-6). */
  readonly scratch: { readonly path: string; readonly folder: FolderFacts };
}

const { ok, note, problem } = findingsOf('home');
/** Less than this is used up by the first run; ten times as much is worth a word. */
const LEAST_BYTES = 20 << 20;

/** The home, what dead runs left in it, and the scratch (O-6, S-6). */
export function judgeHome({ home, said, folder, crashed, runs, scratch }: HomeFacts): readonly Finding[] {
  const standing = home === null || folder === null ? [homeless(said)] : judgePlace(home, said, folder);
  return [...standing, ...judgeKept(runs, folder), ...judgeCrashed(crashed), ...judgeScratch(scratch)];
}

function homeless(said: string): Finding {
  const what = said === '--home' ? '--home is empty' : 'neither HOME nor FLOW_HOME is set';
  return problem('home', what, { why: 'A run needs a folder for its record.', fix: 'export FLOW_HOME="$PWD/.flow"' });
}

function judgePlace(home: string, said: string, folder: FolderFacts): readonly Finding[] {
  const elsewhere = { fix: 'export FLOW_HOME=DIR' };
  const named = `${home} (${said})`;
  if (folder.kind === 'link')
    return [problem('home', `${named} is a symbolic link`, { why: 'Records are kept only in a real folder.', ...elsewhere })];
  if (folder.kind === 'other') return [problem('home', `${named} is no folder`, elsewhere)];
  if (folder.kind === 'closed')
    return [
      problem('home', `${named} cannot be looked at`, { why: `You have no permission to look into ${folder.nearest}.`, ...elsewhere }),
    ];
  if (folder.own === false)
    return [problem('home', `${named} belongs to another user`, { why: 'Who owns the folder can change what is in it.', ...elsewhere })];
  if (folder.unwritable !== null) return [unwritable(named, folder)];
  const there = folder.kind === 'absent' ? `${named} is not there yet; the first run makes it` : named;
  return [ok('home', there), ...judgeMode(home, folder), ...judgeExecution(home, folder), ...judgeSpace('space', folder)];
}

function unwritable(named: string, { kind, nearest, unwritable: code }: FolderFacts): Finding {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return problem('home', `${named}: the disk is full (${code})`, { fix: `df -h ${quoted(nearest)}` });
  const what = kind === 'absent' ? `${named} cannot be made: ${nearest} is not writable (${code})` : `${named} is not writable (${code})`;
  const read =
    code === 'EROFS'
      ? { why: 'It is on a file system that can only be read.', fix: 'export FLOW_HOME=DIR' }
      : { fix: `chmod u+rwx ${quoted(nearest)}` };
  return problem('home', what, read);
}

function judgeMode(home: string, { mode }: FolderFacts): readonly Finding[] {
  if (mode === null) return [];
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  if ((mode & 0o077) === 0) return [ok('mode', `${shown}: nobody else reads it`)];
  return [note('mode', `${shown}: others on this machine can look into it`, { fix: `chmod 700 ${quoted(home)}` })];
}

function judgeExecution(home: string, { executes }: FolderFacts): readonly Finding[] {
  if (executes !== false) return [];
  const why = "A run executes its copies of gates and hooks there. The file system is probably mounted 'noexec'.";
  return [problem('execution', `programs in ${home} cannot be executed`, { why, fix: 'export FLOW_HOME=DIR' })];
}

function judgeSpace(about: string, { free, nearest }: FolderFacts): readonly Finding[] {
  if (free === null) return [];
  if (free < LEAST_BYTES)
    return [
      problem(about, `${bytes(free)} are free`, {
        why: 'A run that cannot write its record ends as a fault.',
        fix: `df -h ${quoted(nearest)}`,
      }),
    ];
  return [
    free < 10 * LEAST_BYTES
      ? note(about, `only ${bytes(free)} are free`, { fix: `df -h ${quoted(nearest)}` })
      : ok(about, `${bytes(free)} free`),
  ];
}

/** Old runs are the first thing to go when space is short; very many make every list long. */
const MANY_RUNS = 1000;

function judgeKept(runs: number | null, folder: FolderFacts | null): readonly Finding[] {
  if (runs === null || runs === 0) return [];
  const short = folder !== null && folder.free !== null && folder.free < 10 * LEAST_BYTES;
  if (!short && runs < MANY_RUNS) return [];
  const why = short ? 'Space is short, and old runs are what fills a home.' : 'They take space, and lists of them are long.';
  return [note('runs', runs === 1 ? 'one is kept' : `${runs} are kept`, { why, fix: 'flow prune --older-than 30d' })];
}

function judgeCrashed(crashed: HomeFacts['crashed']): readonly Finding[] {
  if (crashed === null || crashed.count === 0) return [];
  const among = crashed.whole ? '' : ` among the newest ${crashed.looked}`;
  const what = crashed.count === 1 ? `1 run ended without a last line${among}` : `${crashed.count} runs ended without a last line${among}`;
  return [
    note('crashed runs', what, { why: 'Their process was killed, or the machine stopped. What they wrote can be read.', fix: 'flow list' }),
  ];
}

function judgeScratch({ path, folder }: HomeFacts['scratch']): readonly Finding[] {
  if (folder.unwritable !== null) {
    return [
      problem('scratch', `nothing can be made in ${folder.nearest} (${folder.unwritable})`, {
        why: `Stages write in ${path}.`,
        fix: 'export XDG_CACHE_HOME=DIR',
      }),
    ];
  }
  if (folder.kind === 'other')
    return [problem('scratch', `${path} is no folder`, { why: 'Stages write in it.', fix: 'export XDG_CACHE_HOME=DIR' })];
  if (folder.executes === false) {
    const why = "An agent that writes a program to $TMP cannot start it. The file system is probably mounted 'noexec'.";
    return [note('scratch', `programs in ${path} cannot be executed`, { why, fix: 'export XDG_CACHE_HOME=DIR' })];
  }
  return [ok('scratch', path), ...judgeSpace('scratch space', folder).filter(({ verdict }) => verdict !== 'ok')];
}
