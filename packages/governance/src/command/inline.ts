import { awkStartsOthers } from './awk.js';
import { sedScript } from './sed.js';

/** Interpreters, and the options behind which their program's text stands. */
const INTERPRETERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:python|pypy)[\d.]*w?$/, /^-[a-zA-Z]*c/],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, /^(?:-[a-z]*[ep]|--eval|--print)(?:=|$)|^eval$/],
  [/^perl[\d.]*$/, /^-[a-zA-Z\d]*[eE]/],
  [/^(?:ruby|irb)[\d.]*$/, /^-[a-zA-Z]*e/],
  [/^php[\d.]*$/, /^(?:-[rRBE]|--run)/],
  [/^(?:lua|luajit)[\d.]*$/, /^-e/],
  [/^(?:Rscript|R|julia|groovy|scala|elixir|osascript|ghc|guile|raku|swipl|octave)$/, /^(?:-[eE]|--eval|--expr)/],
  [/^(?:erl)$/, /^-eval$/],
  [/^(?:pwsh|powershell)(?:\.exe)?$/i, /^-(?:c|command|e|ec|enc|encodedcommand)$/i],
  [/^cmd(?:\.exe)?$/i, /^\/[ckr]/i],
  [/^(?:emacs)$/, /^--?(?:eval|execute)/],
];

/** Programs that run a shell text which one of their own arguments holds, and the form of that argument. */
const ESCAPES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:vim?|nvim|ex|view|ed)$/, /^(?:-c|\+|--cmd)|!/],
  [/^(?:tar|bsdtar|gtar)$/, /^(?:--checkpoint-action=exec|--to-command|--rsh-command|--info-script|--new-volume-script)/],
  [/^(?:ssh|scp|sftp)$/, /(?:ProxyCommand|LocalCommand|KnownHostsCommand)/i],
  [/^(?:gdb|lldb)$/, /^-(?:ex|eval-command|o)/],
  [/^(?:sqlite3|psql|mysql|ftp)$/, /\.shell|\.system|\\!|^system\b|\bPROGRAM\s+'/],
  [/^(?:less|more|most)$/, /^\+.*!/],
  [/^socat$/, /(?:^|,)(?:EXEC|SYSTEM|SHELL):/i],
  [/^(?:tmux|screen)$/, /^(?:new|new-session|neww|new-window|split-window|splitw|send-keys|send|run-shell|run|respawn-pane|-X|-dm\w*)$/],
  [/^(?:nix-shell|nix)$/, /^--(?:run|command)$/],
  [/^(?:sg|vagrant|nixos-enter|expect|entr)$/, /^-\w*[cs]$/],
  [/^hyperfine$/, /\s/],
  [/^(?:make|gmake)$/, /^(?:--eval|SHELL=)/],
  [/^(?:zip)$/, /^(?:-TT|--unzip-command)/],
];

const READS_ITS_INPUT =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|tclsh[\d.]*|pwsh|powershell|at|batch)$/;
const ASKS_FOR_A_VERSION = /^(?:-[vV]+|--?version|--?help|-h)$/;

/** Whether the program's text is an argument, is read from standard input, or is neither. */
export function isInlineProgram(name: string, words: readonly string[]): 'argument' | 'input' | 'none' {
  for (const [programs, option] of INTERPRETERS)
    if (programs.test(name) && optionsOf(words).some((word) => option.test(word))) return 'argument';
  for (const [programs, argument] of ESCAPES) if (programs.test(name) && words.some((word) => argument.test(word))) return 'argument';
  if (/^[gmn]?awk$/.test(name) && awkStartsOthers(words)) return 'argument';
  if (/^g?sed$/.test(name) && (sedScript(words)?.runs ?? false)) return 'argument';
  if (name === 'crontab') return words.some((word) => word === '-') ? 'input' : 'none';
  if (!READS_ITS_INPUT.test(name) || words.some((word) => ASKS_FOR_A_VERSION.test(word))) return 'none';
  if (/^(?:at|batch)$/.test(name)) return words.some((word) => /^-[lrdcf]/.test(word)) ? 'none' : 'input';
  return words.every((word) => word.startsWith('-') && word !== '-m' && !word.startsWith('-m')) || words.includes('-') ? 'input' : 'none';
}

/** The words before the script's file: those behind it are the script's own. */
function optionsOf(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, i) => !/^[-/]/.test(word) && word !== 'eval' && !/^-[WXIrCL]$|^--(?:require|import|loader)$/.test(words[i - 1] ?? ''),
  );
  return at === -1 ? words : words.slice(0, at);
}
