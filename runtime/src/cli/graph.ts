import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { readAssembly } from '@gated-flow/assembly';
import { escapeControls, type Redactor } from '@gated-flow/text';
import { createDisk } from '../io/disk.js';
import { homePath } from '../plan/home.js';
import { selectFlow } from '../plan/select.js';
import { resolveTarget } from '../plan/target.js';
import { type Picture, pictureOf } from '../picture/picture.js';
import { documentText } from '../views/document.js';
import type { CommandModule, Io } from './command.js';
import { refusalText } from './refusals.js';

const EXAMPLES = `
Examples:
  flow graph ./triage                              for a terminal
  flow graph ./triage --format svg > triage.svg    a picture for a page, by light and by dark
  flow graph ./triage --format mermaid             for a markdown page that draws mermaid
  flow graph ./triage --format json                for a program

Exit codes: 0 drawn, 2 refused.`;

const DOCUMENT = { kind: 'flow.graph', version: 1 };

const FORMATS = ['text', 'mermaid', 'svg', 'json'] as const;

interface Words {
  readonly format: (typeof FORMATS)[number];
  readonly json?: boolean;
  readonly route?: boolean;
  readonly home?: string;
}

/** `flow graph TARGET [--format text,mermaid,svg,json]` (I-1, G-10). Reads the folder, and nothing else. */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<target>', 'a folder, or the name of an assembly in the home')
      .addOption(new Option('--format <format>', 'how it is drawn').choices(FORMATS).default('text'))
      .addOption(new Option('--json', 'one document: the same as --format json').conflicts('format'))
      .addOption(new Option('--route', 'all flows, as the assembly agent sees them'))
      .addHelpText('after', EXAMPLES)
      .action(async (target: string) => done(await graph(command, io, target)));
  },
};

async function graph(command: Command, io: Io, target: string): Promise<number> {
  const { json = false, route = false, home, ...words } = command.opts<Words>();
  const format = json ? 'json' : words.format;
  const { redactor } = io;
  const disk = createDisk();
  const root = homePath(io, home);
  // It may say what has to be masked (S-2).
  const config = await io.readConfig(root);
  const resolved = config.ok ? await resolveTarget(target, root ?? '/', { cwd: io.cwd, disk }) : config;
  const read = resolved.ok ? await readAssembly(resolved.value, io.cwd) : resolved;
  if (!read.ok) {
    if (format === 'json') await io.out(documentText({ ...DOCUMENT, target, refusals: read.refusals }, redactor));
    else io.err(refusalText(read.refusals, { redactor, color: io.errColor, width: io.width }));
    return 2;
  }
  const { assembly, focus } = read;
  const picture = pictureOf(assembly, selectFlow(assembly, focus, route), basename(assembly.snapshot.root));
  await io.out(await drawn(redactor.json(picture), format, { target, redactor, width: io.outIsTerminal ? io.width : Infinity }));
  return 0;
}

interface Look {
  readonly target: string;
  readonly redactor: Redactor;
  readonly width: number;
}

async function drawn(picture: Picture, format: Words['format'], { target, redactor, width }: Look): Promise<string> {
  switch (format) {
    case 'text':
      return escapeControls((await import('../picture/text.js')).pictureText(picture, width));
    case 'mermaid':
      return (await import('../picture/mermaid.js')).pictureMermaid(picture);
    case 'svg':
      return (await import('../picture/svg.js')).pictureSvg(picture);
    case 'json':
      return documentText({ ...DOCUMENT, target, ...picture }, redactor);
  }
}
