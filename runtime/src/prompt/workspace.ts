/** What the working folder says about itself (S-7). Its text is a stranger's: it may inform, it may never open a section. */
import { join } from 'node:path';
import type { LocalContext } from '@gated-flow/assembly';
import { cutText, escapeName } from '@gated-flow/text';
import { splitFrontMatter } from '@gated-flow/yaml';
import type { Disk } from '../ports/disk.js';

export interface Workspace {
  /** The `# Workspace` section; empty when there is nothing to say. */
  readonly text: string;
  /** Skills that join as the widest scope; only under `use`. */
  readonly skills: readonly WorkspaceSkill[];
}

export interface WorkspaceSkill {
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
}

/** The first that is there counts. */
const DOCUMENTS = ['AGENTS.md', 'CLAUDE.md'];
/** Where a working folder keeps its skills. */
const SKILL_FOLDERS = ['skills', '.agents/skills', '.claude/skills'];
const DOCUMENT_BYTES = 256 * 1024;
const SKILL_HEAD_BYTES = 64 * 1024;
const LINE_BYTES = 300;

export const NO_WORKSPACE: Workspace = { text: '', skills: [] };

/** Rejects with a DiskError. */
export async function readWorkspace(disk: Disk, pwd: string, use: LocalContext): Promise<Workspace> {
  if (use === 'ignore') return NO_WORKSPACE;
  const document = await readDocument(disk, pwd);
  const skills = await readSkills(disk, pwd);
  const lines = [
    ...(document ? [`- ${document.name}: notes about this folder. Read \`$PWD/${document.name}\` if you need them.`] : []),
    ...skills.map(({ name, description, place }) => `- ${place}/${name}: ${description}`),
  ];
  if (use === 'announce') return { text: lines.length === 0 ? '' : `The folder $PWD holds:\n\n${lines.join('\n')}`, skills: [] };
  return { text: document?.body ?? '', skills };
}

async function readDocument(disk: Disk, pwd: string): Promise<{ readonly name: string; readonly body: string } | null> {
  for (const name of DOCUMENTS) {
    const standing = await disk.look(join(pwd, name));
    if (standing?.kind !== 'file') continue;
    const head = await disk.readHead(join(pwd, name), DOCUMENT_BYTES);
    const body = Buffer.from(head).toString('utf8');
    return {
      name,
      body:
        standing.size > DOCUMENT_BYTES ? `${body}\n\n(The rest of ${name}, ${standing.size - DOCUMENT_BYTES} bytes, is left out.)` : body,
    };
  }
  return null;
}

async function readSkills(disk: Disk, pwd: string): Promise<(WorkspaceSkill & { readonly place: string })[]> {
  const found = new Map<string, WorkspaceSkill & { readonly place: string }>();
  for (const place of SKILL_FOLDERS) {
    if ((await disk.look(join(pwd, place)))?.kind !== 'folder') continue;
    for (const name of await disk.list(join(pwd, place))) {
      const folder = join(pwd, place, name);
      const description = await describe(disk, folder);
      if (description !== null && !found.has(name)) found.set(name, { name: escapeName(name), description, folder, place });
    }
  }
  return [...found.values()];
}

async function describe(disk: Disk, folder: string): Promise<string | null> {
  const file = join(folder, 'SKILL.md');
  if ((await disk.look(file))?.kind !== 'file') return null;
  const split = splitFrontMatter(await disk.readHead(file, SKILL_HEAD_BYTES), { fences: 'required' });
  const description = split.ok ? split.data['description'] : undefined;
  return typeof description === 'string' ? cutText(escapeName(description.replace(/\s+/gu, ' ').trim()), LINE_BYTES) : null;
}
