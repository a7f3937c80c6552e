/** The slots that every stage has, and `SUBFLOWS`, which it has when a subflow is in scope (S-1). */
export const RUNTIME_SLOTS: readonly string[] = ['INPUT', 'OUTPUT', 'TMP', 'SKILLS', 'PWD', 'SUBFLOWS'];

/** What the runtime sets besides: the hooks' and gates' own variables, and the temporary folder. */
const RUNTIME_VARIABLES = ['TMPDIR', 'CAUSE', 'REASON', 'FLOW_RUN_ID'];

/**
 * Variables that programs expect to mean something else. A fixed list, so that `check` says the same on every machine; `run`
 * looks at the variables that are really set.
 */
const WELL_KNOWN = [
  'BASH',
  'BASH_ENV',
  'CDPATH',
  'CI',
  'COLUMNS',
  'DISPLAY',
  'EDITOR',
  'EDITRC',
  'ENV',
  'EUID',
  'GID',
  'GROUPS',
  'HOME',
  'HOSTNAME',
  'IFS',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_NUMERIC',
  'LC_TIME',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'LINES',
  'LOGNAME',
  'LS_COLORS',
  'MAIL',
  'MANPATH',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NO_COLOR',
  'OLDPWD',
  'OPTARG',
  'OPTIND',
  'PAGER',
  'PATH',
  'PPID',
  'PS1',
  'PS2',
  'PS4',
  'PYTHONPATH',
  'RANDOM',
  'SECONDS',
  'SHELL',
  'SHELLOPTS',
  'SHLVL',
  'SSH_AUTH_SOCK',
  'TEMP',
  'TERM',
  'TZ',
  'UID',
  'USER',
  'USERNAME',
  'VISUAL',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
];

/** Why a name, in upper case, cannot be a declared slot; null when it can. */
export function reservedSlot(name: string): string | null {
  if (RUNTIME_SLOTS.includes(name)) return 'every stage has a slot of that name already';
  if (RUNTIME_VARIABLES.includes(name)) return 'the variable of that name is set for every hook and gate';
  return WELL_KNOWN.includes(name) ? 'programs expect something else of the variable of that name' : null;
}
