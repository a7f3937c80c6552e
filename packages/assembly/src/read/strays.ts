/** Entries that are in the wrong place whatever folder they stand in. */
import { nameOf } from '../snapshot.js';
import { leftover, posesAsSentinel } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { oneOf, quoted, shellWord } from './reading.js';

export function refuseLeftover(reading: Reading, entry: SoundEntry): void {
  const name = nameOf(entry.path);
  reading.refuse(
    'entry-unknown',
    entry.path,
    `${quoted(name)} is ${leftover(name) ?? 'a left-over'}, and it would count as part of the assembly. Delete it.`,
    `rm ${shellWord(reading, entry.path)}`,
  );
}

/** A capitalised or mis-cased markdown file that is no sentinel in this place. */
export function refuseSentinel(reading: Reading, entry: SoundEntry, legal: readonly string[]): void {
  const name = nameOf(entry.path);
  const meant = posesAsSentinel(name)?.meant;
  const hint = meant === undefined ? `Here it may be ${oneOf(legal)}.` : `Did you mean ${meant}? Here it may be ${oneOf(legal)}.`;
  reading.refuse(
    'sentinel-unknown',
    entry.path,
    `${quoted(name)} looks like the file that says what a folder is, but it means nothing here. ${hint}`,
  );
}

export function refuseGovernance(reading: Reading, entry: SoundEntry): void {
  reading.refuse(
    'governance-invalid',
    entry.path,
    'A governance contract governs the whole assembly, so it stands beside ASSEMBLY.md and nowhere else. Move it there.',
  );
}

/** A check, a hook or a contract where no single agent is held (G-1). */
export function refuseCheck(reading: Reading, entry: SoundEntry, place: string): void {
  reading.refuse(
    'container-check',
    entry.path,
    `${quoted(nameOf(entry.path))} would check or bracket one stage's work, and ${place} has no agent of its own. Move it into the folder of the stage it is about.`,
  );
}
