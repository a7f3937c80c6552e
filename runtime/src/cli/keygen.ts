import { resolve } from 'node:path';
import { makeKeyPair } from '@gated-flow/record';
import { escapeName } from '@gated-flow/text';
import { claims } from '../io/claims.js';
import { createDisk } from '../io/disk.js';
import type { CommandModule, Io } from './command.js';

const EXAMPLES = `
Writes FILE (the private key, Ed25519 in PKCS8 PEM, for yourself alone) and FILE.pub (the public one, to give away).
A file that exists is never overwritten.

Examples:
  flow keygen release.pem
  flow run ./review "the request" --sign release.pem
  flow verify latest --key release.pem.pub

Exit codes: 0 made, 2 misuse or a file that exists.`;

/** `flow keygen [FILE]` (R-8). */
export const command: CommandModule = {
  build(command, io, done) {
    command
      .argument('[file]', 'where the private key goes', 'flow-key.pem')
      .addHelpText('after', EXAMPLES)
      .action(async (file: string) => done(await keygen(file, io)));
  },
};

async function keygen(file: string, io: Io): Promise<number> {
  const [privatePath, publicPath] = [resolve(io.cwd, file), resolve(io.cwd, `${file}.pub`)];
  const pair = makeKeyPair();
  if (!(await claims.file(privatePath, pair.privateKey))) return exists(privatePath, io);
  if (!(await claims.file(publicPath, pair.publicKey))) {
    await createDisk().remove(privatePath);
    return exists(publicPath, io);
  }
  const shown = (path: string): string => escapeName(io.redactor.text(path));
  await io.out(`private key  ${shown(privatePath)}   sign with: flow run … --sign ${shown(file)}\n`);
  await io.out(`public key   ${shown(publicPath)}   check with: flow verify RUN --key ${shown(`${file}.pub`)}\n`);
  return 0;
}

function exists(path: string, io: Io): number {
  io.err(`${escapeName(path)} exists already, and a key is never overwritten. Name another file.\n`);
  return 2;
}
