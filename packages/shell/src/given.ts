import type { Argument } from './command.js';
import type { Inner } from './inner.js';

/** Options behind which a program is told what else to run: `rsync -e 'ssh -p 22'`, `tar -I zstd`, `npx -c 'tsc -b'`. */
const BEHIND: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['man', 'whatis'].map((name) => [name, ['-P', '--pager']] as const),
  ...['npm', 'npx'].map((name) => [name, ['-c', '--call']] as const),
  ...['nc', 'ncat', 'netcat'].map((name) => [name, ['-e', '-c', '--exec', '--sh-exec']] as const),
  ...['tar', 'bsdtar', 'gtar'].map((name) => [name, ['-I', '--use-compress-program']] as const),
  ['nodemon', ['-x', '--exec']],
  ['rsync', ['-e', '--rsh', '--rsync-path']],
  ['sort', ['--compress-program']],
  ['split', ['--filter']],
  ['tcpdump', ['-z']],
  ['wget', ['--use-askpass']],
]);

/** Their words are texts where they have a blank. */
const TAKES_TEXTS: ReadonlySet<string> = new Set(['concurrently', 'onchange', 'watchexec']);

/** What these hold is run by whoever reads them. */
const COMMAND_VARIABLE =
  /^(?:(?:GIT_|MAN)?PAGER|(?:GIT_(?:SEQUENCE_)?)?EDITOR|VISUAL|BROWSER|LESSOPEN|PROMPT_COMMAND|RSYNC_RSH|(?:GIT|SSH)_ASKPASS|GIT_(?:SSH(?:_COMMAND)?|EXTERNAL_DIFF|PROXY_COMMAND))$/;
const SETS_VARIABLES: ReadonlySet<string> = new Set(['doas', 'env', 'sudo']);

/** Programs that the words of a command name in an option, a text or a variable. */
export function givenTexts(name: string, words: readonly Argument[]): readonly string[] {
  const options = BEHIND.get(name) ?? [];
  return words.flatMap((word, i) => {
    const value = word.value ?? '';
    if (TAKES_TEXTS.has(name)) return /\S\s+\S/.test(value) ? [value] : [];
    if (SETS_VARIABLES.has(name)) return [...assignedText(value)];
    return options.flatMap((option) => behind(option, value, words[i + 1]?.value ?? ''));
  });
}

function* assignedText(word: string): Generator<string> {
  const [, variable = '', value = ''] = /^(\w+)=([\s\S]+)$/.exec(word) ?? [];
  const text = variableText(variable, value);
  if (text !== null) yield text;
}

/** The shell text that a variable of this name holds; null where nobody runs it. */
export function variableText(name: string, value: string): string | null {
  return COMMAND_VARIABLE.test(name) && value.trim() !== '' ? value : null;
}

function behind(option: string, word: string, next: string): readonly string[] {
  if (word === option) return next === '' ? [] : [next];
  if (option.startsWith('--')) return word.startsWith(`${option}=`) ? [word.slice(option.length + 1)] : [];
  // The last of letters that are joined: `-ave ssh`.
  if (/^-[a-zA-Z]+$/.test(word) && word.endsWith(option.slice(1))) return next === '' ? [] : [next];
  return word.startsWith(option) ? [word.slice(option.length)] : [];
}

/** As something that is started; a text of which only the running shell knows the program is left to who reads the words. */
export function startedTexts(texts: readonly string[]): readonly Extract<Inner, { kind: 'text' }>[] {
  return texts.filter((text) => /^\s*[\w./~-]+(?:\s|$)/.test(text)).map((text) => ({ kind: 'text', text }));
}
