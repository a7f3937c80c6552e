import { createRedactor, secretValues } from '@gated-flow/text';
import { homePath } from '../plan/home.js';
import type { Io } from './command.js';
import { valueOf } from './log-words.js';

/**
 * The same outside, with the home's own `redact` names among what is masked (S-2). Whatever reaches standard error is masked once
 * more on its way: also the words of the parser, which no command writes. A config that cannot be read adds no name; the
 * commands that show what a run or an assembly holds refuse over it.
 */
export async function withSecrets(words: readonly string[], io: Io): Promise<Io> {
  const config = await io.readConfig(homePath(io, valueOf('--home', words)));
  const redactor = createRedactor(secretValues(io.env, config.ok ? config.value.redact : []));
  return { ...io, redactor, err: (text) => io.err(redactor.text(text)) };
}
