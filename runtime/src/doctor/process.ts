import type { Environment } from '../models/discovery.js';
import type { Allowances, FolderFacts } from '../ports/probe.js';
import { findingsOf, type Finding } from './finding.js';
import { quoted } from './words.js';

export interface ProcessFacts {
  readonly platform: string;
  readonly env: Environment;
  readonly allowances: Allowances;
  /** The system's folder for temporary files: absolute. */
  readonly temporary: { readonly path: string; readonly folder: FolderFacts };
  /** Where the interpreters of gates and hooks were found, by their names. */
  readonly interpreters: Readonly<Record<string, string | null>>;
}

const { ok, note, problem } = findingsOf('machine');
/** Each branch of a run holds some; what macOS gives by itself is 256. */
const FEW_FILES = 1024;
/** Old kernels give so few; an assembly with its working tree may have more folders. */
const FEW_WATCHES = 16_384;

/** What this process is allowed and told: user, limits, temporary folder, locale, interpreters (I-11). */
export function judgeProcess(facts: ProcessFacts): readonly Finding[] {
  return [
    ...judgeUser(facts),
    ...judgeLimits(facts.allowances),
    ...judgeTemporary(facts.temporary),
    ...judgeLocale(facts),
    ...judgeInterpreters(facts.interpreters),
  ];
}

function judgeUser({ allowances, env }: ProcessFacts): readonly Finding[] {
  const why = 'Agents, gates and hooks may then do everything on this machine.';
  return [
    ...(allowances.root === true ? [note('user', 'this is the superuser', { why, fix: 'flow run … --sandbox=all' })] : []),
    ...(env['HOME'] ? [] : [note('HOME', 'it is not set', { why: 'git, ssh and most agents look there.', fix: 'export HOME=DIR' })]),
  ];
}

function judgeLimits({ openFiles, watches }: Allowances): readonly Finding[] {
  const few = openFiles !== null && openFiles < FEW_FILES;
  const blind = watches !== null && watches < FEW_WATCHES;
  return [
    ...(few
      ? [note('open files', `at most ${openFiles} at once`, { why: 'Wide parallel runs need more.', fix: `ulimit -n ${4 * FEW_FILES}` })]
      : []),
    ...(blind
      ? [
          note('watches', `at most ${watches} folders can be watched`, {
            why: 'flow watch of a large tree needs more.',
            fix: 'sudo sysctl fs.inotify.max_user_watches=524288',
          }),
        ]
      : []),
  ];
}

function judgeTemporary({ path, folder }: ProcessFacts['temporary']): readonly Finding[] {
  if (folder.kind === 'absent' || folder.kind === 'other')
    return [problem('TMPDIR', `${path} is no folder`, { why: 'Programs keep temporary files there.', fix: `mkdir -p ${quoted(path)}` })];
  if (folder.unwritable !== null)
    return [
      problem('TMPDIR', `nothing can be made in ${path} (${folder.unwritable})`, {
        why: 'Programs keep temporary files there.',
        fix: 'export TMPDIR=DIR',
      }),
    ];
  return [];
}

function judgeLocale({ platform, env }: ProcessFacts): readonly Finding[] {
  const named = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((variable) => env[variable]);
  const locale = named === undefined ? '' : (env[named] ?? '');
  if (platform !== 'linux' || /utf-?8/i.test(locale)) return [];
  const what = named === undefined ? 'none is set' : `${named} is ${locale}`;
  return [
    note('locale', `${what}, which is not UTF-8`, {
      why: 'Gates that read text, in Python or by sort and grep, may stumble over what is not ASCII.',
      fix: 'export LC_ALL=C.UTF-8',
    }),
  ];
}

function judgeInterpreters(interpreters: ProcessFacts['interpreters']): readonly Finding[] {
  const found = Object.entries(interpreters).filter(([, path]) => path !== null);
  const missing = Object.entries(interpreters).filter(([, path]) => path === null);
  return [
    ...(found.length > 0 ? [ok('interpreters', `found: ${found.map(([name]) => name).join(', ')}`)] : []),
    ...missing.map(([name]) =>
      note(name, 'not found on the PATH', {
        why: `Gates and hooks that begin with #!/usr/bin/env ${name} cannot run.`,
        fix: `apt install ${name}`,
      }),
    ),
  ];
}
