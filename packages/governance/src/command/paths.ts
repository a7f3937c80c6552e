import { posix } from 'node:path';
import type { Command } from '@gated-flow/shell';
import { sedScript } from './sed.js';

/** Their arguments are texts, or files of which they only ask whether they are there. */
const TEXT_PROGRAMS = new Set([
  ':',
  '[',
  'test',
  'alias',
  'echo',
  'export',
  'false',
  'printf',
  'trap',
  'true',
  'eval',
  'bash',
  'sh',
  'dash',
  'zsh',
]);
/** Their first argument is a pattern or a program, unless an option gives it. */
const PATTERN_FIRST = new Set(['ack', 'ag', 'awk', 'egrep', 'fgrep', 'gawk', 'grep', 'jq', 'mawk', 'rg', 'sed', 'yq', 'zgrep']);
const GIVES_PATTERN = /^(?:-[a-zA-Z]*[ef]|--(?:regexp|expression|file|from-file))(?:=|$)/;
/** Options whose value is a sentence for people. */
const SENTENCE = /^(?:-[a-z]*m|--(?:message|title|body|notes|description)|-t|-b)$/;
const TAKES_SENTENCES = new Set(['git', 'gh', 'hg', 'svn', 'jj', 'glab']);

/** The words of a command that may be files, and the files of its redirections; normalized, as far as the text tells. */
export function pathsOf({ name, redirects }: Command, words: readonly string[]): readonly string[] {
  const files = redirects.filter(({ op }) => !op.startsWith('<<')).flatMap(({ target }) => (target === null ? [] : [target]));
  const given = TEXT_PROGRAMS.has(name ?? '') ? [] : fileWords(name ?? '', words);
  const inScript = name === 'sed' || name === 'gsed' ? (sedScript(words)?.files ?? []) : [];
  return [...new Set([...given, ...inScript, ...files].filter((path) => path !== '').flatMap(forms))];
}

function fileWords(name: string, words: readonly string[]): readonly string[] {
  if (TAKES_SENTENCES.has(name))
    return words.filter((word, i) => !SENTENCE.test(words[i - 1] ?? '') && !/^--(?:message|title|body)=/.test(word));
  if (!PATTERN_FIRST.has(name) || words.some((word) => GIVES_PATTERN.test(word))) return words;
  const at = words.findIndex((word) => !word.startsWith('-'));
  return words.filter((_, i) => i !== at);
}

/** `--file=.env`, `if=.env`, `@.env`, `-T.env` name `.env` too. */
function forms(word: string): readonly string[] {
  const inside = [word];
  const equals = word.indexOf('=');
  if (equals !== -1) inside.push(word.slice(equals + 1));
  const marked =
    /^(?:-[a-zA-Z])?@(.+)$/.exec(word) ??
    /=@(.+)$/.exec(word) ??
    /^-[a-zA-Z]([./~].*)$/.exec(word) ??
    /^file:\/\/(.+)$/.exec(word) ??
    /^[\w.-]+(?:@[\w.-]+)?:(.+)$/.exec(word);
  if (marked?.[1]) inside.push(marked[1]);
  return inside.filter((path) => path !== '').map((path) => posix.normalize(path));
}
