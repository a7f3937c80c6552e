/** A new assembly from a template, in a folder that holds nothing yet. */
import { basename, dirname, join } from 'node:path';
import { nearest } from '@gated-flow/assembly';
import { compareBytes } from '@gated-flow/text';
import { type Disk, DiskError } from '../ports/disk.js';
import type { NewFiles } from '../ports/new-files.js';
import { layOut, type NewFile, refuseName, type TemplateFile } from './layout.js';
import { type Template, TEMPLATES } from './table.js';

export interface BeginPorts {
  readonly disk: Pick<Disk, 'look' | 'list' | 'makeFolder' | 'remove'>;
  readonly newFiles: NewFiles;
  readTemplate(name: string): readonly TemplateFile[];
}

/** The paths of the new files in `folder`, in name order; or a sentence for the person. */
export type BegunAssembly =
  | { readonly ok: true; readonly template: Template; readonly folder: string; readonly files: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * `folder` is absolute: absent, or empty but for a `.git`. Nothing is ever overwritten, and when it cannot be finished, nothing is left.
 * Rejects with a DiskError.
 */
export async function beginAssembly(folder: string, word: string, ports: BeginPorts): Promise<BegunAssembly> {
  const template = TEMPLATES.find(({ name }) => name === word);
  if (template === undefined) return refused(unknownTemplate(word));
  const fault = refuseName(basename(folder));
  if (fault !== null) return refused(fault);
  const occupied = await whatStandsAt(folder, ports);
  if (occupied !== null) return refused(occupied);

  const files = layOut(ports.readTemplate(template.name), { template: template.name, name: basename(folder) });
  const taken = await makeAll(folder, files, ports);
  if (taken !== null) return refused(`${taken} appeared while the files were made. Nothing was overwritten.`);
  return { ok: true, template, folder, files: files.map(({ path }) => path).sort(compareBytes) };
}

function unknownTemplate(word: string): string {
  const names = TEMPLATES.map(({ name }) => name);
  const meant = nearest(word, names);
  return `There is no template ${JSON.stringify(word)}. ${meant === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${meant}?`}`;
}

const NAMED = 5;

/** Why nothing can be made there; null when it can. */
async function whatStandsAt(folder: string, { disk }: BeginPorts): Promise<string | null> {
  const standing = await disk.look(folder);
  if (standing === null) return null;
  if (standing.kind !== 'folder') return `${folder} exists and is no folder. Name another one.`;
  const names = (await disk.list(folder)).filter((name) => name !== '.git');
  if (names.length === 0) return null;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${folder} is not empty: it holds ${names.slice(0, NAMED).join(', ')}${more}. Nothing is ever overwritten. Name another folder.`;
}

/** The first path that was taken meanwhile; null when all of them were made. What was made before a failure goes again. */
async function makeAll(folder: string, files: readonly NewFile[], { disk, newFiles }: BeginPorts): Promise<string | null> {
  const isOurs = (await disk.look(folder)) === null;
  const made: string[] = [];
  const undo = async (): Promise<void> => {
    for (const path of made.reverse()) await disk.remove(path);
    for (const path of new Set(made.map((one) => topOf(folder, one)))) if (await holdsNothing(path, disk)) await disk.remove(path);
    if (isOurs && (await holdsNothing(folder, disk))) await disk.remove(folder);
  };
  try {
    for (const { path, bytes, executable } of files) {
      const at = join(folder, path);
      if (!(await newFiles.file(at, bytes, { executable }))) {
        await undo();
        return at;
      }
      made.push(at);
    }
    return null;
  } catch (error) {
    if (error instanceof DiskError) await undo();
    throw error;
  }
}

/** The entry of `folder` that a path below it leads through. */
function topOf(folder: string, path: string): string {
  return dirname(path) === folder ? path : topOf(folder, dirname(path));
}

/** Whether there are at most empty folders below. */
async function holdsNothing(path: string, disk: BeginPorts['disk']): Promise<boolean> {
  const standing = await disk.look(path);
  if (standing?.kind !== 'folder') return false;
  for (const name of await disk.list(path)) if (!(await holdsNothing(join(path, name), disk))) return false;
  return true;
}

function refused(message: string): BegunAssembly {
  return { ok: false, message };
}
