import { basename, join, resolve } from 'node:path';
import { glanceAt, holdsRecord } from '@gated-flow/record';
import { shellWord } from '../plan/fix.js';
import type { Disk } from '../ports/disk.js';
import { outermostOf } from './child-run.js';
import { isRunName } from './run-place.js';

/** A run that was found. */
export interface OpenRun {
  /** The name of its folder. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** What names it on a command line from here: its name, or the path that was said, as a shell reads it. Of a child run: the same of the outermost run. */
  readonly word: string;
  /** Of a child run, how it is told from the run that `word` names: the words of `childWord`, outermost first; else empty. */
  readonly within: readonly string[];
  /** The folder of the outermost run that this one is part of, or its own. Beside it stands the lock. */
  readonly outermost: string;
}

/** Where a run stands that a word names, or a sentence about why it is not known. */
export type FoundRun =
  | { readonly found: 'one'; readonly run: OpenRun }
  | { readonly found: 'none'; readonly message: string }
  | { readonly found: 'many'; readonly message: string };

export interface Search {
  /** Absolute; null when nothing says where the home is. */
  readonly home: string | null;
  /** Absolute. */
  readonly cwd: string;
  readonly disk: Pick<Disk, 'look' | 'list'>;
}

/**
 * The run that a word means: `latest`, a name or the beginning of one (O-6), or the path of a run's folder anywhere: a word with
 * a `/`, one that begins with a dot, or else a folder here of that name.
 */
export async function findRun(word: string, search: Search): Promise<FoundRun> {
  if (word.includes('/') || word.startsWith('.')) return atPath(word, search.cwd);
  if (word === 'latest') return latest(search);
  const names = word === '' ? [] : (await runNames(search)).filter((name) => name.startsWith(word));
  const exact = names.includes(word) ? [word] : names;
  const [only, ...others] = exact;
  if (only !== undefined) return others.length === 0 ? inHome(only, search) : { found: 'many', message: manyNamed(word, exact) };
  const here = await atPath(word, search.cwd);
  return here.found === 'one' ? here : { found: 'none', message: `There is no run ${JSON.stringify(word)}${placeOf(search)}.` };
}

/** Names of the runs in a home, oldest first as far as names tell. */
export async function runNames({ home, disk }: Search): Promise<readonly string[]> {
  if (home === null) return [];
  const runs = join(home, 'runs');
  if ((await disk.look(runs))?.kind !== 'folder') return [];
  return (await disk.list(runs)).filter(isRunName);
}

async function atPath(word: string, cwd: string): Promise<FoundRun> {
  const folder = resolve(cwd, word);
  if (await holdsRecord(folder)) {
    const outermost = await outermostOf(folder);
    return {
      found: 'one',
      run: { name: outermost === folder ? basename(folder) : word, folder, word: shellWord(word), within: [], outermost },
    };
  }
  return { found: 'none', message: `No run's folder is at ${folder}: it holds no record.jsonl.` };
}

/** The newest by its first line's time, then by name. */
async function latest(search: Search): Promise<FoundRun> {
  let newest: { name: string; ts: string } | null = null;
  for (const name of await runNames(search)) {
    const ts = (await glanceAt(join(search.home ?? '', 'runs', name)))?.start?.ts ?? '';
    if (newest === null || ts >= newest.ts) newest = { name, ts };
  }
  return newest === null ? { found: 'none', message: `There is no run yet${placeOf(search)}.` } : inHome(newest.name, search);
}

async function inHome(name: string, { home }: Search): Promise<FoundRun> {
  const folder = join(home ?? '', 'runs', name);
  if (await holdsRecord(folder)) return { found: 'one', run: { name, folder, word: name, within: [], outermost: folder } };
  return { found: 'none', message: `The run ${name} has no record: it ended before its first line.` };
}

function manyNamed(word: string, names: readonly string[]): string {
  return `${JSON.stringify(word)} begins the names of ${names.length} runs: ${names.slice(0, 5).join(', ')}. Say more of it.`;
}

function placeOf({ home }: Search): string {
  return home === null ? ': no home is named (--home, FLOW_HOME or HOME)' : ` in ${join(home, 'runs')}`;
}
