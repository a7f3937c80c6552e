/** What `flow check`, or a run that was refused, adds to a step: annotations, and a summary (I-7). Pure. */
import { join } from 'node:path';
import type { Refusal } from '@gated-flow/assembly';
import { counted, escapeControls, type Redactor } from '@gated-flow/text';
import type { Warning } from '../../plan/plan.js';
import { fenced, inline } from '../plain.js';
import { type Annotation, createRanking, inRepository } from './annotations.js';

export interface Checked {
  /** As it was typed. */
  readonly target: string;
  /** What the paths are relative to: absolute; null when nothing says. */
  readonly root: string | null;
  readonly refusals: readonly Refusal[];
  readonly warnings: readonly Warning[];
}

export interface Telling {
  readonly redactor: Redactor;
  /** Absolute. */
  readonly repository: string;
}

export function checkCommands({ root, refusals, warnings, target }: Checked, { redactor, repository }: Telling): string {
  const ranking = createRanking();
  const clean = (text: string): string => escapeControls(redactor.text(text));
  const add = (level: Annotation['level'], title: string, { path, message, fix }: Warning): void => {
    const file = fileOf(clean(path), root, repository);
    const words = [file === null ? `${path}: ${message}` : message, ...(fix === undefined ? [] : [fix])];
    ranking.add({ level, title: clean(title), message: clean(words.join('\n')), file, line: file === null ? null : lineOf(message) });
  };
  for (const refusal of refusals) add('error', refusal.code, refusal);
  for (const warning of warnings) add('warning', 'flow check', warning);
  return ranking.commands(clean(`flow check ${target} tells all of it.`));
}

/** Paths such as `request`, `home:config.yaml` and `script:3` are of no file in the assembly. */
function fileOf(path: string, root: string | null, repository: string): string | null {
  if (root === null || path === '.' || !/[./]/.test(path) || /^(home|script):/.test(path)) return null;
  return inRepository(join(root, path), repository);
}

/** The first line that the sentences name. */
function lineOf(message: string): number {
  return Number(/\bline (\d{1,9})\b/i.exec(message)?.[1] ?? 1);
}

const SHOWN = 100;

export function checkSummary({ target, refusals, warnings }: Checked, { redactor }: Telling): string {
  const clean = (text: string): string => escapeControls(redactor.text(text));
  const all = [
    ...refusals.map((refusal) => ({ ...refusal, what: refusal.code })),
    ...warnings.map((warning) => ({ ...warning, what: 'warning' })),
  ];
  const counts = [
    ...(refusals.length === 0 ? [] : [`${counted(refusals.length, 'fault')}, nothing was run`]),
    ...(warnings.length === 0 ? [] : [counted(warnings.length, 'warning')]),
  ];
  const head = `### ${refusals.length === 0 ? '✓' : '✗'} ${inline(clean(target))}: ${counts.join(', ') || 'sound'}\n`;
  const blocks = all.slice(0, SHOWN).map(({ what, path, message, fix }) => {
    const words = [message, ...(fix === undefined ? [] : [`\n${fix}`])].join('\n');
    return `\n${inline(what)} ${inline(clean(path))}\n\n${fenced(clean(words).slice(0, 4_000))}`;
  });
  const more = all.length > SHOWN ? `\n${all.length - SHOWN} more.\n` : '';
  return `${head}${blocks.join('')}${more}\n`;
}
