import { posix } from 'node:path';
import { compilePattern } from '@gated-flow/patterns';
import type { Pattern } from '@gated-flow/patterns';
import { lazyPattern } from './lazy.js';

/** A pattern of whole paths. */
export interface Glob {
  readonly written: string;
  /** Whether the path fits. Files whose names begin with a dot fit like others: what is to be guarded often does. */
  fits(path: string): boolean;
}

export type GlobResult = { readonly ok: true; readonly glob: Glob } | { readonly ok: false; readonly message: string };

/**
 * `*` and `?` stay inside one name, `**` goes over any number of folders, none too, `[a-z]` is one character, `{a,b}` one of
 * the texts. It becomes one expression that runs in linear time, so that no glob can hang (V-1).
 */
export function compileGlob(written: string): GlobResult {
  const compiled = compilePattern(sourceOf(written), 'su');
  if (!compiled.ok) return { ok: false, message: compiled.message };
  if (!compiled.pattern.linear) return { ok: false, message: 'It cannot be matched in linear time.' };
  return { ok: true, glob: globOf(written, compiled.pattern) };
}

/** A glob of ours, compiled when it is first needed. */
export function lazyGlob(written: string): Glob {
  return globOf(written, lazyPattern(`(?s)${sourceOf(written)}`));
}

function sourceOf(written: string): string {
  return `^(?:${expressionOf(written)})$`;
}

function globOf(written: string, pattern: Pattern): Glob {
  return { written, fits: (path) => namesOf(path).some((name) => isFound(pattern, name)) };
}

function isFound(pattern: Pattern, name: string): boolean {
  return pattern.test(name) === true;
}

/** A path as written and without its detours; a path of Windows also with slashes. */
function namesOf(path: string): readonly string[] {
  const names = new Set([path, posix.normalize(path)]);
  if (path.includes('\\')) names.add(posix.normalize(path.replaceAll('\\', '/')));
  return [...names];
}

const PIECE = /\*\*\/|\/\*\*$|\*+|\?|\[[!^]?\]?[^\]/]*\]|\{|\}|,|\\.|[^]/gsu;

function expressionOf(glob: string): string {
  const pieces = glob.match(PIECE) ?? [];
  const isBalanced = pieces.filter((piece) => piece === '{').length === pieces.filter((piece) => piece === '}').length;
  let depth = 0;
  let expression = '';
  for (const piece of pieces) {
    if (isBalanced && piece === '{') {
      depth++;
      expression += '(?:';
    } else if (isBalanced && piece === '}' && depth > 0) {
      depth--;
      expression += ')';
    } else if (piece === ',' && depth > 0) expression += '|';
    else expression += plain(piece);
  }
  return expression + ')'.repeat(depth);
}

function plain(piece: string): string {
  if (piece === '**/') return '(?:.*/)?';
  if (piece === '/**') return '(?:/.*)?';
  if (/^\*\*+$/.test(piece)) return '.*';
  if (piece === '*') return '[^/]*';
  if (piece === '?') return '[^/]';
  if (piece.length > 1 && piece.startsWith('[')) return classOf(piece);
  return escaped(piece.startsWith('\\') && piece.length > 1 ? piece.slice(1) : piece);
}

function classOf(piece: string): string {
  const isNot = /^\[[!^]/.test(piece);
  const inside = piece.slice(isNot ? 2 : 1, -1).replace(/[\\\][^&~|{}()/]/g, '\\$&');
  return inside === '' ? escaped(piece) : `[${isNot ? '^/' : ''}${inside}]`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
