import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { glanceAt, readKey, verifyRun } from '@gated-flow/record';
import { DiskError } from '../ports/disk.js';
import { documentText } from '../views/document.js';
import type { OpenRun } from '../record/find-run.js';
import { type Part, verdictText } from '../views/verdict-text.js';
import type { CommandModule, Io } from './command.js';
import type { Reader } from './reading.js';
import { DAMAGED, FOUND, MISUSE, withRun } from './reading.js';

const EXAMPLES = `
Examples:
  flow verify latest
  flow verify ./runs/RUN/stages/06-map/1/1/subflows/2   a child run by itself
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
    const part = await partOf(run);
    if (part !== null && key !== undefined) {
      reader.say(
        `${run.word} is a part of the run ${part.run}, and signed together with it: flow verify ${shellPath(part.outermost)} --key ${file ?? ''}`,
      );
      return MISUSE;
    }
    const verdict = await verifyRun(run.folder, { child: part !== null, ...(key === undefined ? {} : { publicKey: key }) });
    const about = { run: run.name, ...(part === null ? {} : { part_of: part.run }) };
    if (json === true) await io.out(documentText({ kind: 'flow.verify', version: 1, ...about, ...verdict }, reader.redactor));
    else await reader.print(verdictText(verdict, run.word, part));
    return verdict.verified ? FOUND : DAMAGED;
  });
}

/** A child run says itself that it is one; it has no seals of its own. */
async function partOf(run: OpenRun): Promise<Part | null> {
  const start = (await glanceAt(run.folder))?.start;
  return start?.child === undefined ? null : { run: start.run, outermost: run.outermost === run.folder ? null : run.outermost };
}

function shellPath(outermost: string | null): string {
  return outermost ?? 'RUN';
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
