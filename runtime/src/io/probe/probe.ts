import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Environment } from '../../models/discovery.js';
import type { Clock } from '../../ports/clock.js';
import type { Probe } from '../../ports/probe.js';
import { allowances } from './allowances.js';
import { askProgram } from './program.js';
import { folderFacts } from './folder.js';
import { placeFacts } from './place.js';
import { reachServer } from './reach.js';

/** The port on this machine. */
export function createProbe(env: Environment, clock: Clock): Probe {
  return {
    node: process.version,
    platform: process.platform,
    temporary: tmpdir(),
    allowances: () => allowances(env['PATH'] ?? ''),
    place: placeFacts,
    find: (program) => findProgram(program, env['PATH'] ?? ''),
    ask: (program, args) => askProgram([program, ...args], env),
    folder: folderFacts,
    reach: (target) => reachServer(target, { env, clock }),
  };
}

/** The absolute path of a program in the folders of `path`; null when it is in none. */
export async function findProgram(program: string, path: string): Promise<string | null> {
  for (const folder of isAbsolute(program) ? [''] : path.split(delimiter).filter((each) => each !== '')) {
    const file = resolve(join(folder, program));
    if (await isProgram(file)) return file;
  }
  return null;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
