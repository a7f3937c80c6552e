/** What LOOP, CHOOSE, PARALLEL and FANOUT have in common. */
import { nameOf, pathIn } from '../snapshot.js';
import type { Inheritable, Skill } from '../tree.js';
import type { Document } from './document.js';
import { fromMarkdown, isEmpty, readDocument } from './document.js';
import { INHERITABLE, keysOf, takeInheritable } from './keys.js';
import type { Keys } from './keys.js';
import type { StepSentinel } from './names.js';
import type { Reading, SoundEntry } from './reading.js';
import { soundChildren } from './reading.js';
import { readSkills } from './skills.js';
import type { Spot } from './spot.js';

export interface Container {
  readonly base: ContainerBase;
  /** Null when the sentinel could not be read: it is refused already. */
  readonly document: Document | null;
  readonly keys: Keys | null;
  /** What stands in the folder besides its sentinel, README.md and skills. */
  readonly entries: readonly SoundEntry[];
}

interface ContainerBase {
  readonly name: string;
  readonly path: string;
  readonly entry: string;
  readonly sentinel: string;
  readonly options: Inheritable;
  readonly skills: readonly Skill[];
}

/** Opens a container's folder. `keys` are those of its sentinel besides the four that every level may set (G-1). */
export function openContainer(reading: Reading, spot: Spot, name: StepSentinel, own: readonly string[]): Container {
  const sentinel = pathIn(spot.entry, name);
  const document = readDocument(reading, sentinel);
  const keys = document && keysOf(reading, document, [...own, ...INHERITABLE]);
  if (document && hasChecklist(reading, document)) refuseChecklist(reading, document);
  const base = {
    name: spot.name,
    path: spot.path,
    entry: spot.entry,
    sentinel,
    options: keys ? takeInheritable(keys) : {},
    skills: readSkills(reading, pathIn(spot.entry, 'skills')),
  };
  const entries = soundChildren(reading.snapshot, spot.entry).filter((entry) => !isOwn(entry, name));
  return { base, document, keys, entries };
}

/** Whether nothing at all stands beside the sentinel, so that the container has nothing to run. */
export function isBare(reading: Reading, spot: Spot, name: StepSentinel): boolean {
  return reading.snapshot.children(spot.entry).every((entry) => [name, 'README.md', 'skills'].includes(nameOf(entry.path)));
}

/** For a container that takes no text at all. A checklist in it is refused already. */
export function refuseBody(reading: Reading, document: Document | null, why: string): void {
  if (!document || isEmpty(document.body) || hasChecklist(reading, document)) return;
  reading.refuse(
    'body-unexpected',
    document.path,
    `There is text below the front matter of ${nameOf(document.path)}, and nobody would read it: ${why} Delete it, or move it into a stage.`,
  );
}

function isOwn(entry: SoundEntry, sentinel: string): boolean {
  const name = nameOf(entry.path);
  return entry.kind === 'file' ? name === sentinel || name === 'README.md' : name === 'skills';
}

function hasChecklist(reading: Reading, { path, body }: Document): boolean {
  return body.includes('Checklist') && fromMarkdown(reading, path, (markdown) => markdown.hasChecklist(body)) === true;
}

function refuseChecklist(reading: Reading, document: Document): void {
  reading.refuse(
    'container-check',
    document.path,
    'The text has a heading "Checklist", and a container has no agent that could work it off. Move the list into the stage it is about.',
  );
}
