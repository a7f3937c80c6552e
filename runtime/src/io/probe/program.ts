import { execa } from 'execa';
import type { Environment } from '../../models/discovery.js';
import type { Asked } from '../../ports/probe.js';

const PROGRAM_MS = 3000;
const OUTPUT_BYTES = 1 << 20;
const SHOWN_CHARACTERS = 4096;

/** Runs a program with empty input. After three seconds, or 1 MiB of output, it is killed. Never rejects. */
export async function askProgram([file = '', ...args]: readonly string[], env: Environment): Promise<Asked> {
  const result = await execa(file, args, {
    env: { ...env },
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
    timeout: PROGRAM_MS,
    forceKillAfterDelay: 500,
    maxBuffer: OUTPUT_BYTES,
  });
  if (result.exitCode !== undefined) return { asked: 'answered', exit: result.exitCode, text: result.all.slice(0, SHOWN_CHARACTERS) };
  return result.code === 'ENOENT' || result.code === 'EACCES' ? { asked: 'absent' } : { asked: 'silent' };
}
