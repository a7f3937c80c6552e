/** A stage, in one file or in a folder. */
import { nameOf, pathIn } from '../snapshot.js';
import type { Stage } from '../tree.js';
import { takeAccess } from './access.js';
import type { Document } from './document.js';
import { fromMarkdown, isEmpty, readDocument } from './document.js';
import { INHERITABLE, keysOf, takeInheritable } from './keys.js';
import { emptyStage } from './empty-stage.js';
import { relativePath } from './values.js';
import type { Reading } from './reading.js';
import { readStageFolder } from './stage-folder.js';
import type { Spot } from './spot.js';
import { libsWith } from './spot.js';

const STAGE_KEYS = [...INHERITABLE, 'workdir', 'access'];

/** `N-name.md`: a stage without checks, hooks or anything beside it. */
export function readStageFile(reading: Reading, spot: Spot): Stage {
  return { ...emptyStage(spot, spot.entry), ...readSentinel(reading, spot.entry) };
}

export function readStage(reading: Reading, spot: Spot): Stage {
  const sentinel = pathIn(spot.entry, 'STAGE.md');
  const libs = libsWith(reading, spot.entry, spot.libs);
  return {
    ...emptyStage(spot, sentinel),
    ...readStageFolder(reading, { folder: spot.entry, path: spot.path, libs }),
    ...readSentinel(reading, sentinel),
  };
}

function readSentinel(reading: Reading, path: string): Partial<Stage> {
  const document = readDocument(reading, path);
  if (!document) return {};
  const keys = keysOf(reading, document, STAGE_KEYS);
  const options = takeInheritable(keys);
  const workdir = keys.take('workdir', relativePath);
  const access = takeAccess(reading, document, keys);
  refuseEmptyBody(reading, document);
  return {
    options,
    body: document.body,
    checklist: readChecklist(reading, document),
    ...(workdir !== undefined && { workdir }),
    ...(access !== undefined && { access }),
  };
}

function refuseEmptyBody(reading: Reading, document: Document): void {
  if (!isEmpty(document.body)) return;
  reading.refuse(
    'body-missing',
    document.path,
    `${nameOf(document.path)} has no text below its front matter, and the text is what the agent is asked to do. Write the instructions there; comments do not count.`,
  );
}

function readChecklist(reading: Reading, document: Document): readonly string[] {
  if (!document.body.includes('Checklist')) return [];
  return fromMarkdown(reading, document.path, (markdown) => markdown.checklist(document.body)) ?? [];
}
