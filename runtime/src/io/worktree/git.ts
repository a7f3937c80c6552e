import { execa } from 'execa';

export interface GitResult {
  readonly ok: boolean;
  /** Standard output without its last line end. */
  readonly out: string;
  /** What git said on standard error. */
  readonly complaint: string;
}

/** Git with fixed repository and working tree, or one that looks for them from a folder. */
export type Git = (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<GitResult>;

/** By these a caller that is itself started by git would turn our commands on its own repository. */
const REDIRECTS = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR', 'GIT_PREFIX', 'GIT_NAMESPACE'];
const CLEARED = Object.fromEntries(REDIRECTS.map((name) => [name, undefined]));

/** Finds the repository from a folder, as a user's git there would. */
export function gitAt(folder: string): Git {
  return (args, env) => run(['-C', folder, ...args], env);
}

/** Says where the repository and the tree are: whatever was done to the tree's own `.git`, no other repository is ever met. */
export function gitOf(gitFolder: string, tree: string): Git {
  return (args, env) => run(['-C', tree, `--git-dir=${gitFolder}`, `--work-tree=${tree}`, ...args], env);
}

/** Never asks anything and never runs the repository's hooks. A git that is not installed is a failure like any other. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<GitResult> {
  const fixed = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
  const result = await execa('git', [...fixed, ...args], {
    env: { ...CLEARED, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', ...env },
    stdin: 'ignore',
    reject: false,
    maxBuffer: 64 << 20,
  });
  const complaint = result.code === 'ENOENT' ? 'git is not installed' : (result.stderr ?? '');
  return { ok: !result.failed, out: result.stdout ?? '', complaint };
}

/** For steps that cannot fail unless the repository is broken; the message is git's own. */
export class GitTrouble extends Error {}

/** The output of a step that must work. Throws GitTrouble, which does not leave this folder. */
export async function must(result: Promise<GitResult>): Promise<string> {
  const { ok, out, complaint } = await result;
  if (ok) return out;
  throw new GitTrouble(complaint.split('\n').find((line) => line.trim() !== '') ?? 'git failed');
}
