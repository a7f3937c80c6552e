import type { Command } from 'commander';
import { escapeControls } from '@gated-flow/text';
import { createClock } from '../io/clock.js';
import { networkFetch } from '../io/network.js';
import { askOllama } from '../models/discovery.js';
import { homePath } from '../plan/home.js';
import { documentText } from '../views/document.js';
import { paint } from './color.js';
import type { CommandModule, Io } from './command.js';
import { modelsDocument, type ModelsDocument } from './models/document.js';
import { modelsText } from './models/text.js';
import { FOUND, MISUSE, NOTHING } from './reading.js';
import { refusalText } from './refusals.js';

const EXAMPLES = `
Examples:
  flow models                     which model a stage gets, and why
  flow models --json | jq .default

A key is never shown, only whether its variable is set. No model is asked anything; a local Ollama is asked what it has.
Exit codes: 0 found, 1 no model can be used, 2 misuse or a broken config.yaml.`;

/** `flow models` (M-2, M-3, I-1). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async () => done(await models(command, io)));
  },
};

async function models(command: Command, io: Io): Promise<number> {
  const { json, home: said } = command.opts<{ json?: boolean; home?: string }>();
  const home = homePath(io, said);
  const config = await io.readConfig(home);
  const { redactor } = io;
  if (!config.ok) {
    io.err(refusalText(config.refusals, { redactor, color: io.errColor, width: io.width }));
    return MISUSE;
  }
  const ollama = await askOllama(networkFetch, io.env, createClock());
  const document = modelsDocument({ home, config: config.value, env: io.env, ollama });
  if (json === true) await io.out(documentText(document, redactor));
  else await io.out(redactor.text(modelsText(document, { width: io.width, paint: paint(io.outColor) })));
  if (document.default?.usable === true || document.rows.some(({ usable }) => usable)) return FOUND;
  io.err(escapeControls(redactor.text(`${nothingFound(document)}\n`)));
  return NOTHING;
}

/** Which nothing, and the ways out (I-1, O-5). */
function nothingFound({ default: found, discovery, home }: ModelsDocument): string {
  if (found !== null) return `The only model found cannot be used. ${found.problem ?? ''}${found.fix === null ? '' : `\n  ${found.fix}`}`;
  const [first = 'ANTHROPIC_API_KEY', ...others] = discovery.flatMap(({ place, name }) => (place === 'variable' ? [name] : []));
  return [
    'No model was found. Any of these helps:',
    `  export ${first}=…`,
    `      or ${others.join(', ')}`,
    '  ollama serve, and ollama pull qwen3:8b',
    '      a model on this machine',
    '  a row default under intelligences:',
    `      in ${home ?? '~/.local/share/flow'}/config.yaml`,
    '  flow run --rehearse …',
    '      no model at all',
  ].join('\n');
}
