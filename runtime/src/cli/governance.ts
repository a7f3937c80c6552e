import { type Command, Option } from 'commander';
import type { CommandModule } from './command.js';

const EXAMPLES = `
Examples:
  flow governance check ./governance.contract.json            what of it holds here, rule by rule
  flow governance check ./governance.contract.json --accept   run its acceptance commands first
  flow governance probe ./deploy                              see that a denial is honoured, surface by surface
  flow governance decide --host claude-code < event.json      as a hook of another agent

Exit codes are each subcommand's own: flow governance check --help.`;

const CHECK = `
Exit codes: 0 read, 1 an acceptance command failed (--accept), 2 misuse or a contract that is malformed.`;

const DECIDE = `
Reads one event of the host's hook and answers in its form. Exit 0 with nothing said is no decision: the host goes on as if
nobody had asked. A denial is exit 2, and so is everything that goes wrong here, because the host lets every other code through.
Without --governance the contract is the nearest governance.contract.json: from $CLAUDE_PROJECT_DIR where the host says it,
else from the event's folder, upwards. None found: exit 2.

As a hook, so that a command that cannot be started stops the call too:
  flow governance decide --host claude-code --governance /abs/governance.contract.json || exit 2`;

const PROBE = `
Exit codes: 0 every denial was honoured, 1 one was not, 2 misuse.`;

/** `flow governance check|decide|probe` (V-10, V-12, V-13). What a subcommand needs is loaded when it is named. */
export const command: CommandModule = {
  build(command, io, done) {
    command.usage('<command> [options]').addHelpText('after', EXAMPLES);
    command
      .command('check')
      .description('Say stage by stage what of a contract is enforced here, with its rules.')
      .argument('<file>', 'a governance contract')
      .option('--accept', 'run the commands of its acceptance, and remember that they passed')
      .option('--json', 'one document')
      .addHelpText('after', CHECK)
      .action(async (file: string, _words, sub: Command) => done(await (await import('./governance/check.js')).check(sub, io, file)));
    command
      .command('decide')
      .description('Answer one event of another agent.')
      .addOption(new Option('--host <name>', 'whose event it is').choices(['claude-code', 'codex']).makeOptionMandatory())
      .option('--file <path>', 'read the event from a file instead of standard input')
      .option('--governance <file>', 'the contract')
      .addHelpText('after', DECIDE)
      .action(async (_words, sub: Command) => done(await (await import('./governance/decide.js')).decide(sub, io)));
    command
      .command('probe')
      .description('Try a harmless canary on every surface, and keep whether its denial was honoured.')
      .argument('<assembly>', 'an assembly with a governance contract')
      .option('--agent <row>', 'the row of models whose agent is tried')
      .option('--json', 'one document')
      .addHelpText('after', PROBE)
      .action(async (target: string, _words, sub: Command) => done(await (await import('./governance/probe.js')).probe(sub, io, target)));
  },
};
