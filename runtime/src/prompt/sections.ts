/** The system prompt and the first turn (P-1). Pure; every word of ours is here, and none of it tells of the machinery (P-2). */
import type { Schema } from '@gated-flow/assembly';
import { escapeName } from '@gated-flow/text';
import type { ToolSpec } from '../ports/model.js';

/** What the sections are made of. Empty text and empty lists leave their section out. */
export interface PromptParts {
  readonly purpose: string;
  readonly workspace: string;
  readonly procedure: string;
  /** The place in its own sequence; null where there is no sequence. */
  readonly step: { readonly number: number; readonly of: number } | null;
  readonly instructions: string;
  /** Sentences about what has to be done and left, as a list. */
  readonly conduct: readonly string[];
  /** What needs leave, and what is not done at all; null when nothing does (V-5). */
  readonly permissions?: string | null;
  readonly schema: Schema | null;
  /** What there is to select from, where that is all there is to do. */
  readonly alternatives?: readonly string[] | undefined;
  readonly slots: readonly SlotLine[];
  readonly skills: readonly { readonly name: string; readonly description: string }[];
  /** What may be called on for a part of the work. */
  readonly helpers: readonly { readonly name: string; readonly description: string }[];
  readonly tools: readonly ToolSpec[];
}

export interface SlotLine {
  /** Without `$`. */
  readonly name: string;
  readonly description: string;
}

export function systemPrompt(parts: PromptParts): string {
  const sections: readonly (readonly [string, string])[] = [
    ['Purpose', parts.purpose],
    ['Workspace', parts.workspace],
    [
      'Procedure',
      [parts.procedure.trim(), parts.step ? `Step ${parts.step.number} of ${parts.step.of}.` : ''].filter(Boolean).join('\n\n'),
    ],
    ['Instructions', parts.instructions],
    ['Conduct', parts.conduct.map((line) => `- ${line}`).join('\n')],
    ['Permissions', parts.permissions ?? ''],
    ['Output', parts.alternatives ? selection(parts.alternatives) : output(parts.schema)],
    ['Slots', slots(parts.slots)],
    [
      'Skills',
      parts.skills
        .map(({ name, description }) => `- ${name}: ${sentence(description)} Read \`$SKILLS/${name}/SKILL.md\` before using it.`)
        .join('\n'),
    ],
    ['Helpers', parts.helpers.map(({ name, description }) => `- ${name}: ${sentence(description)}`).join('\n')],
    ['Tools', parts.tools.map(({ name, description }) => `- ${name}: ${description}`).join('\n')],
  ];
  return sections.flatMap(([title, text]) => (text.trim() === '' ? [] : [`# ${title}\n\n${text.trim()}\n`])).join('\n');
}

function sentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

export function firstTurn(inputs: readonly string[], selects = false): string {
  const ask = selects
    ? 'Decide as your instructions describe, then select one of the alternatives with the `select` tool.'
    : 'Do the work described in your instructions. When the result is written to $OUTPUT, stop.';
  if (inputs.length === 0) return `$INPUT holds no files.\n\n${ask}`;
  return `$INPUT holds:\n${inputs.map((name) => `- ${escapeName(name)}`).join('\n')}\n\n${ask}`;
}

function output(schema: Schema | null): string {
  if (schema === null) return 'Write your result, as text, to the file $OUTPUT. Nothing else that you say or write is passed on.';
  if (schema.kind === 'json') {
    return `Write your result to the file $OUTPUT, as one JSON document that matches this JSON Schema. Nothing else that you say or write is passed on.\n\n${fenced('json', schema.text)}`;
  }
  const types =
    schema.keys.length === 0 ? '' : ` Its front matter must have the keys of this template, each with a value of the type named there.`;
  return `Write your result to the file $OUTPUT, as a markdown document in the shape of this template.${types} Nothing else that you say or write is passed on.\n\n${fenced('markdown', schema.text)}`;
}

function selection(names: readonly string[]): string {
  const known = names.map((name) => `\`${name}\``).join(', ');
  return `Select one of the alternatives, ${known}, with the \`select\` tool, and say why. Nothing else that you say or write is passed on.`;
}

function slots(lines: readonly SlotLine[]): string {
  if (lines.length === 0) return '';
  const intro =
    'These names stand for places. They are environment variables in commands, and a path given to a file tool may begin with one. Relative paths start in $PWD.';
  return `${intro}\n\n${lines.map(({ name, description }) => `- $${name}: ${description}`).join('\n')}`;
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
