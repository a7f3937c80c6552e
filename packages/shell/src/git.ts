import type { Argument } from './command.js';
import type { Inner } from './inner.js';

/** Options of git itself whose value is the next word. */
const VALUED = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env',
  '--attr-source',
  '--exec-path',
]);

/** Settings that are commands for a shell. */
const COMMAND_SETTING =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass)|diff\.external|sequence\.editor|pager\.[^=]+|credential\.(?:[^=]*\.)?helper|(?:diff|merge|difftool|mergetool)\.[^=]+\.(?:cmd|command|driver|textconv)|filter\.[^=]+\.(?:clean|smudge|process))=!?([\s\S]+)$/i;
const ALIAS = /^alias\.([^=]+)=(!?)([\s\S]+)$/i;

/** Programs that git runs because its words say so: aliases, pagers and editors by `-c`, and the commands of a few subcommands. */
export function startedByGit(words: readonly Argument[]): readonly Inner[] {
  const at = subcommandAt(words);
  const rest = words.slice(at);
  const settings = words.slice(0, at).filter((_, i) => words[i - 1]?.value === '-c');
  return [...settings.flatMap((setting) => fromSetting(setting, rest)), ...fromSubcommand(rest)];
}

function subcommandAt(words: readonly Argument[]): number {
  let at = 0;
  while (words[at]?.value?.startsWith('-')) at += VALUED.has(words[at]?.value ?? '') ? 2 : 1;
  return Math.min(at, words.length);
}

function fromSetting({ value }: Argument, [subcommand, ...rest]: readonly Argument[]): readonly Inner[] {
  if (value === null) return [];
  const [, name, isShell, meaning = ''] = ALIAS.exec(value) ?? [];
  if (isShell === '!') return [{ kind: 'text', text: meaning }];
  if (name !== undefined && subcommand?.value === name)
    return [{ kind: 'words', words: [plain('git'), ...meaning.split(/\s+/).map(plain), ...rest] }];
  const [, command] = COMMAND_SETTING.exec(value) ?? [];
  return command === undefined || /^(?:cat|less|true|false|)$/.test(command) ? [] : [{ kind: 'text', text: command }];
}

function plain(word: string): Argument {
  return { value: word, text: word };
}

function fromSubcommand([subcommand, ...rest]: readonly Argument[]): readonly Inner[] {
  switch (subcommand?.value) {
    case 'config':
      return rest.flatMap(({ value }, i) => (value?.startsWith('!') && i > 0 ? [{ kind: 'text', text: value.slice(1) } as const] : []));
    case 'difftool':
      return behind(rest, ['-x', '--extcmd']);
    case 'grep':
      return behind(rest, ['-O', '--open-files-in-pager'], 'attached');
    case 'clone':
    case 'fetch':
    case 'pull':
    case 'ls-remote':
      return [...behind(rest, ['--upload-pack']), ...rest.flatMap(asTransport)];
    case 'push':
      return [...behind(rest, ['--receive-pack', '--exec']), ...rest.flatMap(asTransport)];
    case 'rebase':
      return behind(rest, ['-x', '--exec']);
    case 'filter-branch':
      return behind(rest, ['--tree-filter', '--index-filter', '--msg-filter', '--env-filter', '--commit-filter', '--tag-name-filter']);
    case 'bisect':
      return rest[0]?.value === 'run' ? [{ kind: 'words', words: rest.slice(1) }] : [];
    case 'submodule': {
      const at = rest.findIndex(({ value }) => value === 'foreach');
      if (at === -1) return [];
      const command = rest.slice(at + 1).filter(({ value }, i) => i > 0 || !/^(?:--recursive|--quiet|-q)$/.test(value ?? ''));
      return command.length === 0 ? [] : [{ kind: 'text', text: command.map(({ value, text }) => value ?? text).join(' ') }];
    }
    default:
      return [];
  }
}

/** Behind these options a text for a shell stands: in the same word, or in the next one unless it can only be attached. */
function behind(words: readonly Argument[], options: readonly string[], how?: 'attached'): readonly Inner[] {
  return words.flatMap(({ value }, i): Inner[] => {
    if (value === null) return [];
    const option = options.find((name) => value === name || value.startsWith(isLong(name) || !how ? `${name}=` : name));
    if (option === undefined) return [];
    const next = how ? undefined : words[i + 1]?.value;
    const text = value === option ? next : value.slice(option.length + (isLong(option) || !how ? 1 : 0));
    return text ? [{ kind: 'text', text }] : [];
  });
}

function isLong(option: string): boolean {
  return option.startsWith('--');
}

/** `ext::sh -c …` is no address but a command: words apart by blanks, in which `% ` is a blank. */
function asTransport({ value }: Argument): readonly Inner[] {
  if (!value?.startsWith('ext::')) return [];
  const words = value.slice('ext::'.length).match(/(?:[^%\s]|%[\s\S])+/g) ?? [];
  return [{ kind: 'words', words: words.map((word) => plain(word.replace(/%([ %])/g, '$1'))) }];
}
