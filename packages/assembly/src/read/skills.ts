import { nameOf, pathIn } from '../snapshot.js';
import type { Skill } from '../tree.js';
import { readDocument } from './document.js';
import type { Reading, SoundEntry } from './reading.js';
import { quoted, soundChildren } from './reading.js';
import { leftover } from './names.js';
import { checkLength } from './spot.js';
import { refuseLeftover } from './strays.js';
import { oneLine } from './values.js';

/** The skills of a `skills/` folder, in name order; none when the folder is absent. */
export function readSkills(reading: Reading, folder: string): readonly Skill[] {
  if (reading.snapshot.entries.get(folder)?.kind !== 'folder') return [];
  const entries = reading.snapshot.children(folder).filter((entry) => nameOf(entry.path) !== 'README.md');
  if (entries.length === 0)
    reading.refuse('folder-empty', folder, 'The folder skills/ promises skills and has none. Put one in, or delete the folder.');
  return soundChildren(reading.snapshot, folder).flatMap((entry) => readSkill(reading, entry));
}

function readSkill(reading: Reading, entry: SoundEntry): readonly Skill[] {
  const name = nameOf(entry.path);
  if (entry.kind === 'file') {
    if (leftover(name) !== null) refuseLeftover(reading, entry);
    else if (name !== 'README.md')
      reading.refuse(
        'entry-unknown',
        entry.path,
        `${quoted(name)} is a file; a skill is a folder with SKILL.md in it, such as skills/tests/SKILL.md.`,
      );
    return [];
  }
  checkLength(reading, entry, name);
  return [{ name, description: readDescription(reading, entry.path), path: entry.path }];
}

function readDescription(reading: Reading, folder: string): string {
  const path = pathIn(folder, 'SKILL.md');
  const sentinel = reading.snapshot.entries.get(path);
  if (sentinel === undefined || sentinel.kind === 'folder') {
    reading.refuse(
      'skill-invalid',
      folder,
      'A skill is a folder with a file SKILL.md in it, and this one has none. Add SKILL.md with a one-line "description".',
    );
    return '';
  }
  const document = readDocument(reading, path);
  if (!document) return '';
  if (!Object.hasOwn(document.data, 'description')) {
    reading.refuse(
      'key-missing',
      path,
      'The front matter has no "description", and an agent picks a skill by it. Add one line that says when it helps.',
    );
    return '';
  }
  const description = oneLine.accept(document.data.description);
  if (description === undefined)
    reading.refuse(
      'skill-invalid',
      path,
      '"description" takes one line of text. Say in one line when the skill helps; the rest belongs below the front matter.',
    );
  return description ?? '';
}
