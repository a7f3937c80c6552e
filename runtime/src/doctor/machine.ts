import type { Asked } from '../ports/probe.js';
import { findingsOf, type Finding } from './finding.js';

export interface MachineFacts {
  readonly node: string;
  readonly platform: string;
  readonly git: Asked;
  readonly sh: Asked;
  readonly bash: Asked;
}

const { ok, note, problem } = findingsOf('machine');
const OLDEST_NODE = [20, 19] as const;

/** Node, git and the shells (I-11). */
export function judgeMachine({ node, platform, git, sh, bash }: MachineFacts): readonly Finding[] {
  return [judgeNode(node), ...judgePlatform(platform), judgeGit(git), judgeSh(sh), judgeBash(bash)];
}

function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [least, leastMinor] = OLDEST_NODE;
  if (major > least || (major === least && minor >= leastMinor)) return ok('node', version);
  return problem('node', `${version} is too old`, {
    why: `flow is written for Node ${OLDEST_NODE.join('.')} and newer, and tested with nothing older.`,
    fix: 'nvm install 22',
  });
}

function judgePlatform(platform: string): readonly Finding[] {
  if (platform === 'linux' || platform === 'darwin') return [];
  return [note('system', `${platform} is not one that flow is tested on`, { why: 'It is made for Linux and macOS.' })];
}

function judgeGit(git: Asked): Finding {
  if (git.asked === 'answered' && git.exit === 0) return ok('git', firstLine(git.text).replace(/^git version /, ''));
  const what =
    git.asked === 'absent'
      ? 'not found'
      : git.asked === 'silent'
        ? 'it does not answer'
        : `it ends with ${git.exit}: ${firstLine(git.text)}`;
  return note('git', what, { why: 'Only --isolate needs it, and agents often do.', fix: 'apt install git, or brew install git' });
}

function judgeSh(sh: Asked): Finding {
  if (sh.asked === 'answered' && sh.exit === 0) return ok('sh', 'found');
  return problem('sh', sh.asked === 'absent' ? 'not found on the PATH' : 'it does not run', {
    why: "Hooks, gates and the agent's commands are run by it.",
    fix: 'export PATH="$PATH:/bin:/usr/bin"',
  });
}

function judgeBash(bash: Asked): Finding {
  if (bash.asked === 'answered' && bash.exit === 0) return ok('bash', bash.text.trim() === '' ? 'found' : firstLine(bash.text));
  return note('bash', bash.asked === 'absent' ? 'not found on the PATH' : 'it does not run', {
    why: "The agent's commands are run by sh instead; gates that begin with #!/bin/bash cannot run.",
    fix: 'apt install bash',
  });
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
