import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readKey, verifyRun } from '@gated-flow/record';
import { DiskError } from '../ports/disk.js';
import { documentText } from '../views/document.js';
import { verdictText } from '../views/verdict-text.js';
import type { CommandModule, Io } from './command.js';
import type { Reader } from './reading.js';
import { DAMAGED, FOUND, MISUSE, withRun } from './reading.js';

const EXAMPLES = `
Examples:
  flow verify latest
  flow verify ./copied-run --key release.pub.pem

Exit codes: 0 whole, 1 no such run, 2 misuse, 5 incomplete, damaged or altered: each difference is named.`;

/** `flow verify RUN [--key PUB]`. */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('<run>', 'the run: latest, its name or the beginning of it, or its folder')
      .option('--key <pub>', 'the Ed25519 public key (PEM) that must have signed it')
      .option('--json', 'one document')
      .addHelpText('after', EXAMPLES)
      .action(async (run: string) => done(await verify(command, io, run)));
  },
};

function verify(command: Command, io: Io, word: string): Promise<number> {
  const { key: file, json } = command.opts<{ key?: string; json?: boolean }>();
  return withRun(command, io, word, async (run, reader) => {
    const key = file === undefined ? undefined : await readPublicKey(file, reader);
    if (key === null) return MISUSE;
    const verdict = await verifyRun(run.folder, key === undefined ? {} : { publicKey: key });
    if (json === true) await io.out(documentText({ kind: 'flow.verify', version: 1, run: run.name, ...verdict }, reader.redactor));
    else await reader.print(verdictText(verdict, run.word));
    return verdict.verified ? FOUND : DAMAGED;
  });
}

async function readPublicKey(file: string, reader: Reader): Promise<KeyObject | null> {
  try {
    const key = readKey(Buffer.from(await reader.disk.read(resolve(reader.io.cwd, file))).toString(), 'public');
    if (key === null) reader.say(`${file} holds no Ed25519 public key in PEM. flow keygen makes a pair.`);
    return key;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    reader.say(`The key ${file} cannot be read: ${error.code}.`);
    return null;
  }
}
