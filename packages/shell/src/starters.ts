import type { OptionRules } from './options.js';

/** Programs whose remaining words are another command. */
export const STARTERS: ReadonlyMap<string, OptionRules> = new Map<string, OptionRules>([
  ['builtin', {}],
  ['busybox', {}],
  ['chroot', { longFlags: ['skip-chdir'], longValued: ['userspec', 'groups'], operands: 1 }],
  ['command', { flags: 'p' }],
  ['doas', { flags: 'nLs', valued: 'aCu' }],
  [
    'env',
    {
      flags: 'i0v',
      valued: 'uCSa',
      longFlags: ['ignore-environment', 'null', 'debug', 'block-signal', 'default-signal', 'ignore-signal', 'list-signal-handling'],
      longValued: ['unset', 'chdir', 'split-string', 'argv0'],
      lonely: true,
      assignments: true,
    },
  ],
  ['chrt', { flags: 'abdfiorv', valued: 'pTPD', operands: 1 }],
  ['eatmydata', {}],
  ['entr', { flags: 'acdnprsxz' }],
  ['fakeroot', {}],
  ['gosu', { operands: 1 }],
  ['linux32', {}],
  ['linux64', {}],
  [
    'nsenter',
    {
      flags: 'aFZ',
      attached: 'CimnpTuU',
      valued: 'GStW',
      longFlags: ['all', 'no-fork', 'preserve-credentials', 'mount', 'uts', 'ipc', 'net', 'pid', 'cgroup', 'user', 'time', 'root', 'wd'],
      longValued: ['target', 'setuid', 'setgid', 'wdns'],
    },
  ],
  ['pkexec', { longFlags: ['disable-internal-agent', 'keep-cwd'], longValued: ['user'] }],
  ['proxychains', { flags: 'q', valued: 'f' }],
  ['proxychains4', { flags: 'q', valued: 'f' }],
  ['strace', { flags: 'cCdfFhiknqrtTvVwxyYzZ', valued: 'abeEIoOpPsSuUX' }],
  ['su-exec', { operands: 1 }],
  ['systemd-inhibit', { longFlags: ['no-pager', 'no-legend', 'list'], longValued: ['what', 'who', 'why', 'mode'] }],
  [
    'systemd-run',
    { flags: 'PtqdGrhS', valued: 'pMEu', longFlags: ['user', 'scope', 'pty', 'wait', 'collect'], longValued: ['unit', 'property'] },
  ],
  ['taskset', { flags: 'a', valued: '', attached: 'c', operands: 1 }],
  ['torsocks', { flags: 'i' }],
  ['unbuffer', { flags: 'p' }],
  ['unshare', { flags: 'cfimnprTuUC', valued: 'RSGw', longFlags: ['fork', 'mount-proc', 'map-root-user', 'net', 'mount', 'pid', 'user'] }],
  ['exec', { flags: 'cl', valued: 'a' }],
  ['ionice', { flags: 't', valued: 'cnpPu', longFlags: ['ignore'], longValued: ['class', 'classdata', 'pid', 'pgid', 'uid'] }],
  ['nice', { flags: '0123456789', valued: 'n', longValued: ['adjustment'] }],
  ['nohup', {}],
  ['setsid', { flags: 'cfw', longFlags: ['ctty', 'fork', 'wait'] }],
  ['stdbuf', { valued: 'ioe', longValued: ['input', 'output', 'error'] }],
  [
    'sudo',
    {
      flags: 'AbBEHiKklnNPSsv',
      valued: 'CDghpRrTtUu',
      longFlags: [
        ...['askpass', 'background', 'bell', 'preserve-env', 'set-home', 'login', 'remove-timestamp', 'reset-timestamp', 'list'],
        ...['non-interactive', 'no-update', 'preserve-groups', 'stdin', 'shell', 'validate'],
      ],
      longValued: [
        ...['close-from', 'chdir', 'group', 'host', 'prompt', 'chroot', 'role', 'command-timeout', 'type', 'other-user', 'user'],
      ],
      assignments: true,
    },
  ],
  ['time', { flags: 'apqvV', valued: 'fo', longFlags: ['append', 'portability', 'quiet', 'verbose'], longValued: ['format', 'output'] }],
  [
    'timeout',
    {
      flags: 'fpv',
      valued: 'ks',
      longFlags: ['foreground', 'preserve-status', 'verbose'],
      longValued: ['kill-after', 'signal'],
      operands: 1,
    },
  ],
  ['toybox', {}],
  [
    'xargs',
    {
      flags: '0oprtx',
      valued: 'adEILnPs',
      attached: 'eil',
      longFlags: ['null', 'open-tty', 'interactive', 'no-run-if-empty', 'verbose', 'exit', 'show-limits', 'replace', 'eof', 'max-lines'],
      longValued: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
    },
  ],
]);

/** Shells of the Bourne family: `-c` takes a text, and without a script they read one from standard input. */
export const SHELLS: ReadonlySet<string> = new Set(['ash', 'bash', 'dash', 'ksh', 'ksh93', 'mksh', 'rbash', 'sh', 'yash', 'zsh']);

export const SHELL_OPTIONS: OptionRules = {
  flags: 'abcefhiklmnprstuvxBCDEHPT',
  valued: 'oO',
  longFlags: [
    'help',
    'version',
    'debug',
    'debugger',
    'dump-po-strings',
    'dump-strings',
    'login',
    'noediting',
    'noprofile',
    'norc',
    'posix',
    'restricted',
    'verbose',
  ],
  longValued: ['init-file', 'rcfile'],
};

/** `ssh`, before and behind its host. */
export const SSH_OPTIONS: OptionRules = { flags: '46AaCfGgKkMNnqsTtVvXxYy', valued: 'BbcDEeFIiJLlmOopQRSWwP' };

export const WATCH_OPTIONS: OptionRules = {
  flags: 'bceghprtvwxC',
  valued: 'nqs',
  attached: 'd',
  longFlags: ['beep', 'color', 'no-color', 'differences', 'errexit', 'chgexit', 'exec', 'precise', 'no-title', 'no-wrap', 'no-rerun'],
  longValued: ['interval', 'equexit'],
};

export const PARALLEL_OPTIONS: OptionRules = {
  flags: '0hkmqtuvXVx',
  valued: 'aCdDEgIjLnNPsSU',
  attached: 'eil',
  longFlags: [
    'null',
    'keep-order',
    'dry-run',
    'verbose',
    'group',
    'ungroup',
    'line-buffer',
    'lb',
    'bar',
    'progress',
    'eta',
    'pipe',
    'tag',
    'will-cite',
  ],
  longValued: [
    'jobs',
    'arg-file',
    'colsep',
    'delimiter',
    'delay',
    'halt',
    'joblog',
    'max-args',
    'results',
    'retries',
    'sshlogin',
    'timeout',
  ],
};

/** `script`, without the option that gives a text. */
export const SCRIPT_OPTIONS: OptionRules = {
  flags: 'adefkpqr',
  valued: 'BEIOmoTFt',
  longFlags: ['append', 'flush', 'force', 'quiet', 'return', 'version'],
  longValued: ['echo', 'log-io', 'log-in', 'log-out', 'logging-format', 'log-timing', 'output-limit'],
};

/** `flock`, `runuser`. */
export const STARTED_BEHIND_OPTIONS: OptionRules = {
  flags: 'sxenouFvflmp',
  valued: 'wEugGTs',
  longFlags: ['shared', 'exclusive', 'nonblock', 'no-fork', 'close', 'unlock', 'verbose', 'login', 'preserve-environment'],
  longValued: ['timeout', 'wait', 'conflict-exit-code', 'user', 'group', 'shell'],
};
