import { nameOf } from '../snapshot.js';
import type { Executable } from '../tree.js';
import { readExecutable } from './executables.js';
import { HOOK_NAMES, firstStem, leftover } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { quoted, soundChildren } from './reading.js';
import type { Ground } from './spot.js';
import { refuseLeftover } from './strays.js';

/** A gate file, or a folder in which every visible entry is a gate. `found` are the stage's entries called gate. */
export function readGates(reading: Reading, ground: Ground, found: readonly SoundEntry[]): readonly Executable[] {
  if (found.length > 1) {
    const names = found.map((entry) => quoted(nameOf(entry.path) + (entry.kind === 'folder' ? '/' : ''))).join(', ');
    reading.refuse(
      'gate-conflict',
      ground.folder,
      `The stage has more than one gate: ${names}. Keep one file, or put them all into gate/, where they run in the order of their names.`,
    );
  } else {
    for (const { kind, path } of found) if (kind === 'folder') refuseEmptyFolder(reading, path);
  }
  return found.flatMap((entry) =>
    entry.kind === 'file' ? [readExecutable(reading, entry, ground)] : readGateFolder(reading, ground, entry.path),
  );
}

function refuseEmptyFolder(reading: Reading, folder: string): void {
  if (reading.snapshot.children(folder).length === 0) {
    reading.refuse('folder-empty', folder, 'The folder gate/ promises gates and has none. Put one in, or delete the folder.');
  }
}

function readGateFolder(reading: Reading, ground: Ground, folder: string): readonly Executable[] {
  return soundChildren(reading.snapshot, folder).flatMap((entry) => readGate(reading, ground, entry));
}

function readGate(reading: Reading, ground: Ground, entry: SoundEntry): readonly Executable[] {
  const name = nameOf(entry.path);
  if (entry.kind === 'folder') {
    reading.refuse(
      'entry-unknown',
      entry.path,
      'Every entry of gate/ is a program, and a folder cannot be started. Put helper files into lib/ beside gate/.',
    );
    return [];
  }
  if (leftover(name) !== null) {
    refuseLeftover(reading, entry);
    return [];
  }
  if (HOOK_NAMES.some((hook) => hook === firstStem(name))) {
    reading.refuse(
      'entry-unknown',
      entry.path,
      `${quoted(firstStem(name))} is the name of a hook, and a hook stands in the stage's folder, not in gate/. Move it there, or give the gate another name.`,
    );
    return [];
  }
  return [readExecutable(reading, entry, ground)];
}
