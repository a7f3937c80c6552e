/** The words about how a run is made that `run` and `resume` share. */
import { type Command, Option } from 'commander';
import type { ModelWords } from '../../models/choose.js';
import { collect } from '../invocation.js';

export interface RunWords {
  rehearse?: boolean;
  rehearseChoose: string[];
  script?: string;
  isolate?: string;
  sandbox?: string;
  sandboxNet?: boolean;
  sign?: string;
  correlation?: string;
  reuse?: boolean;
  authorize?: string;
  approvalWait?: string;
  acceptAdvisory?: boolean;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

/** What answers for the model. */
export function addModelWords(command: Command): Command {
  return command
    .addOption(new Option('--rehearse', 'no model: satisfy checks by rule').conflicts('script'))
    .addOption(new Option('--rehearse-choose <stage=name>', 'what a rehearsal selects').argParser(collect).default([], 'the first'))
    .addOption(new Option('--script <file>', 'a scripted model'));
}

export function addRunWords(command: Command): Command {
  return addSandboxWords(addModelWords(command))
    .addOption(new Option('--isolate [=dirty]', 'in a git worktree of its own; =dirty takes along what is not committed'))
    .addOption(new Option('--reuse', 'take over the work of an earlier run wherever nothing that shaped it has changed'))
    .addOption(new Option('--authorize <file>', 'leave for calls that need approval, given beforehand'))
    .addOption(new Option('--approval-wait <seconds>', 'how long to wait when a call needs approval'))
    .addOption(new Option('--accept-advisory', 'go on where nobody has seen that a denial is honoured'))
    .addOption(new Option('--sign <key>', 'sign the record with this Ed25519 key (flow keygen)'))
    .addOption(new Option('--correlation <text>', 'a text of yours, kept in the record'))
    .addOption(new Option('--json', 'one document instead of the output'))
    .addOption(new Option('-q, --quiet', 'no progress'))
    .addOption(new Option('-v, --verbose', 'more of it'));
}

export function modelWords({ script, rehearse, rehearseChoose }: RunWords): ModelWords {
  if (script !== undefined) return { kind: 'scripted', file: script };
  return rehearse ? { kind: 'rehearsal', choose: rehearseChoose } : { kind: 'provider' };
}

/** What is contained, and how (I-13). */
export function addSandboxWords(command: Command): Command {
  return command
    .addOption(new Option('--sandbox [=all]', "contain the agent's commands (bubblewrap); =all contains hooks and gates too"))
    .addOption(new Option('--sandbox-net', 'let what is contained use the network'));
}

/** Alone they take no value, so that what follows stays a target or a request. */
export function spellAlone(word: string): string {
  if (word === '--sandbox') return '--sandbox=agent';
  return word === '--isolate' ? '--isolate=clean' : word;
}
