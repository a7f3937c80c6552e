import { resolve } from 'node:path';
import type { Command } from 'commander';
import { counted, escapeControls } from '@gated-flow/text';
import { createDisk } from '../io/disk.js';
import { newFiles } from '../io/new-files.js';
import { readTemplate } from '../io/templates.js';
import { pathFromHere, shellWord } from '../plan/fix.js';
import { DiskError } from '../ports/disk.js';
import { beginAssembly, type BegunAssembly } from '../templates/begin.js';
import { TEMPLATES } from '../templates/table.js';
import { documentText } from '../views/document.js';
import { nextCommands } from '../views/next-commands.js';
import type { CommandModule, Io } from './command.js';

const widest = Math.max(...TEMPLATES.map(({ name }) => name.length));

const EXAMPLES = `
Templates:
${TEMPLATES.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`).join('\n')}

DIR is made, or is empty; nothing is ever overwritten. The flow is called as DIR is.

Examples:
  flow new ./triage                      the least there is
  flow new ./triage --template gated     with a schema, a checklist, gates and the proof that they work
  flow new . --template review           here

Exit codes: 0 made, 2 refused: nothing was made.`;

/** `flow new DIR` (I-1). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<dir>', 'the folder to make')
      .option('--template <name>', 'what to begin with', TEMPLATES[0].name)
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async (dir: string) => done(await begin(command, io, dir)));
  },
};

async function begin(command: Command, io: Io, dir: string): Promise<number> {
  const { template, json } = command.opts<{ template: string; json?: boolean }>();
  const { redactor } = io;
  const begun = await attempt(resolve(io.cwd, dir), template, dir);
  if (json === true) await io.out(documentText(documentOf(begun), redactor));
  else if (begun.ok) await io.out(escapeControls(redactor.text(textOf(begun, io.cwd))));
  else io.err(`${escapeControls(redactor.text(begun.message))}\n`);
  return begun.ok ? 0 : 2;
}

async function attempt(folder: string, template: string, typed: string): Promise<BegunAssembly> {
  if (typed === '') return { ok: false, message: 'The folder has no name. Say where the assembly goes: flow new ./DIR.' };
  // What is no UTF-8 on the command line reaches a program as this character: the folder would be called otherwise than was typed.
  if (typed.includes('\uFFFD')) return { ok: false, message: 'The name of the folder is not UTF-8. Choose another name.' };
  try {
    return await beginAssembly(folder, template, { disk: createDisk(), newFiles, readTemplate });
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return { ok: false, message: `Nothing was made: ${error.message}.` };
  }
}

function documentOf(begun: BegunAssembly): object {
  const about = { kind: 'flow.new', version: 1 };
  if (!begun.ok) return { ...about, folder: null, message: begun.message };
  return { ...about, folder: begun.folder, template: begun.template.name, files: begun.files };
}

function textOf({ template, folder, files }: BegunAssembly & { readonly ok: true }, cwd: string): string {
  const here = shellWord(pathFromHere(folder, cwd));
  const lines = files.map((path) => `  ${path}\n`).join('');
  const next = nextCommands([
    [`flow check ${here} --rehearse`, 'what would run, and what is wrong with it'],
    ...(template.gated ? [[`flow gate ${here}`, 'its gates on good and on bad outputs'] as const] : []),
    [`flow run ${here} ${shellWord(template.request)} --rehearse`, 'the whole way without a model'],
  ]);
  return `${counted(files.length, 'file')} from the template ${template.name}, in ${pathFromHere(folder, cwd)}\n${lines}\nNext:\n${next}`;
}
