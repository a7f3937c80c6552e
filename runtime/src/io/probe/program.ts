import { execa } from 'execa';
import type { Environment } from '../../models/discovery.js';
import type { Asked } from '../../ports/probe.js';

const PROGRAM_MS = 3000;
const OUTPUT_BYTES = 4096;

/** Runs a program with empty input. After three seconds it is killed. Never rejects. */
export async function askProgram([file = '', ...args]: readonly string[], env: Environment): Promise<Asked> {
  const result = await execa(file, args, {
    env: { ...env },
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    reject: false,
    timeout: PROGRAM_MS,
    forceKillAfterDelay: 500,
    // What is more is cut off, not an error: a program may be talkative.
    maxBuffer: { all: OUTPUT_BYTES, stdout: OUTPUT_BYTES, stderr: OUTPUT_BYTES },
  });
  if (result.exitCode !== undefined) return { asked: 'answered', exit: result.exitCode, text: result.all };
  return result.code === 'ENOENT' || result.code === 'EACCES' ? { asked: 'absent' } : { asked: 'silent' };
}
