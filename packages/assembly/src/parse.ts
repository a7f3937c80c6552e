import { compareBytes } from '@gated-flow/text';
import { hashSnapshot } from './hash.js';
import type { MarkdownReader } from './markdown.js';
import { readRoot } from './read/assembly.js';
import { readFlows } from './read/flows.js';
import type { Reading } from './read/reading.js';
import { collector } from './read/reading.js';
import { readStep } from './read/step.js';
import type { Refusal } from './refusals.js';
import { structureRules, wholeTreeRules } from './rules/index.js';
import type { Rule } from './rules/rule.js';
import type { SchemaReader } from './schema/compile.js';
import type { FileEntry, Snapshot } from './snapshot.js';
import { nameOf } from './snapshot.js';
import type { Assembly } from './tree.js';

export type ParseResult =
  | { readonly ok: true; readonly assembly: Assembly }
  | {
      readonly ok: false;
      readonly refusals: readonly Refusal[];
      /** The tree, when its structure is sound: what else can be judged of it belongs into the same report. */
      readonly sound?: Assembly;
    };

/**
 * Makes a typed tree of a snapshot, or says everything that keeps it from being one. Structure first; what needs a sound tree (slot
 * names, collisions, references) only when the structure has no fault. Sorted by path, then code. Pure, but for the modules it loads.
 * `shown` is the root as command lines in the refusals write it.
 */
export async function parseAssembly(snapshot: Snapshot, shown = '.'): Promise<ParseResult> {
  const { refusals, refuse } = collector();
  const reading: Reading = { snapshot, refuse, shown, grammar: { step: readStep, subflows: readFlows }, ...(await loadReaders(snapshot)) };
  const assembly: Assembly = { snapshot, ...hashSnapshot(snapshot), ...readRoot(reading, nameOf(snapshot.root)) };
  judge(structureRules, assembly, reading);
  if (refusals.length > 0) return { ok: false, refusals: sorted(refusals) };
  judge(wholeTreeRules, assembly, reading);
  return refusals.length === 0 ? { ok: true, assembly } : { ok: false, refusals: sorted(refusals), sound: assembly };
}

function judge(rules: readonly Rule[], assembly: Assembly, reading: Reading): void {
  for (const rule of rules) rule(assembly, reading.refuse);
}

function sorted(refusals: readonly Refusal[]): readonly Refusal[] {
  const different = new Map(refusals.map((refusal) => [`${refusal.path}\0${refusal.code}\0${refusal.message}`, refusal]));
  return [...different.values()].sort((a, b) => compareBytes(a.path, b.path) || compareBytes(a.code, b.code));
}

interface Readers {
  readonly markdown: MarkdownReader | null;
  readonly schemas: SchemaReader | null;
}

/** The markdown parser and the schema compiler cost more to load than a small assembly costs to read, so each is loaded only when needed. */
async function loadReaders(snapshot: Snapshot): Promise<Readers> {
  const files = [...snapshot.entries.values()].filter((entry): entry is FileEntry => entry.kind === 'file');
  const [markdown, schemas] = await Promise.all([
    files.some(needsMarkdown) ? import('./markdown.js').then((module) => module.markdownReader) : null,
    files.some((file) => nameOf(file.path) === 'schema.json')
      ? import('./schema/compile.js').then((module) => module.createSchemaReader())
      : null,
  ]);
  return { markdown, schemas };
}

function needsMarkdown(file: FileEntry): boolean {
  const name = nameOf(file.path);
  if (!name.endsWith('.md') || !file.bytes || name === 'README.md') return false;
  if (name === 'CHOOSE.md') return true;
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  return bytes.includes('<!--') || bytes.includes('Checklist');
}
