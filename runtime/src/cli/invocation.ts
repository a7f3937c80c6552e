import { Option, type Command } from 'commander';
import type { Invocation } from '../plan/invocation.js';
import { present } from '../plan/options/inheritable.js';
import { readSlotWord } from './slot-words.js';

/** The target, the request and the options that `run` and `check` share (O-1 to O-7, I-5). */
export function addInvocationWords(command: Command): Command {
  command
    .argument('<target>', 'a folder, or the name of an assembly in the home')
    .argument('[request...]', 'what is wanted: a text in quotes, @FILE, or - for standard input')
    .addOption(new Option('--task <file>', 'the request is the body of this markdown file; its front matter may set options'))
    .addOption(new Option('--no-request', 'run without a request'))
    .addOption(new Option('--route', 'let the assembly agent choose the flow'));
  return addOptionWords(command);
}

/** Where a run works, and the options and limits that are set for it alone. */
export function addOptionWords(command: Command): Command {
  return addGroundWords(command)
    .addOption(new Option('--intelligence <name>', "a row of the home's config.yaml"))
    .addOption(new Option('--model <provider/model>', 'a model for this run'))
    .addOption(new Option('--reasoning <level>', 'none, minimal, low, medium, high or xhigh'))
    .addOption(new Option('--timeout <seconds>', 'for each agent, check and hook'))
    .addOption(new Option('--retries <n>', 'how often a stage may be sent back'))
    .addOption(
      new Option('--local-context <how>', "what of the working tree's own instructions reaches the agent: ignore, announce or use"),
    )
    .addOption(new Option('--governance <file>', "a governance contract that is added to the assembly's"))
    .addOption(new Option('--deadline <seconds>', 'for the whole run'))
    .addOption(new Option('--max-cost <usd>', 'for the whole run'));
}

/** Where something is judged or run. */
export function addGroundWords(command: Command): Command {
  return command
    .addOption(new Option('--in <dir>', 'the working tree (default: here)'))
    .addOption(
      new Option('--slot <name=path>', 'give a declared slot its path; --NAME PATH says the same').argParser(collect).default([], 'none'),
    );
}

interface Words extends OptionTyped {
  task?: string;
  request: boolean;
  route?: boolean;
}

interface OptionTyped {
  in?: string;
  slot: string[];
  intelligence?: string;
  model?: string;
  reasoning?: string;
  timeout?: string;
  retries?: string;
  localContext?: string;
  deadline?: string;
  maxCost?: string;
  governance?: string;
  home?: string;
}

/** What was typed, from a command that has the words above. */
export function readInvocation(command: Command): Omit<Invocation, 'purpose' | 'models'> {
  const [target = '', ...words] = command.args;
  const typed = command.opts<Words>();
  const request = { words, none: !typed.request, ...present({ task: typed.task }) };
  return { target, request, route: typed.route === true, ...readOptionWords(command) };
}

/** The same for a command that has only the options. */
export function readOptionWords(command: Command): Omit<Invocation, 'purpose' | 'models' | 'target' | 'request' | 'route'> {
  const typed = command.opts<OptionTyped>();
  return {
    command: command.name(),
    slots: typed.slot.map(readSlotWord),
    optionNames: command.options.flatMap(({ long }) => (long ? [long.slice(2)] : [])),
    options: present({
      timeout: typed.timeout,
      retries: typed.retries,
      localContext: typed.localContext,
      intelligence: typed.intelligence,
      model: typed.model,
      reasoning: typed.reasoning,
    }),
    ...present({ home: typed.home, in: typed.in, deadline: typed.deadline, maxCost: typed.maxCost, governance: typed.governance }),
  };
}

/** For an option that may be said several times. */
export function collect(word: string, before: readonly string[]): string[] {
  return [...before, word];
}
