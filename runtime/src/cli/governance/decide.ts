import { resolve } from 'node:path';
import type { Command } from 'commander';
import { failureAnswer } from '@gated-flow/governance';
import type { HostAnswer, HostName } from '@gated-flow/governance';
import { answerHost, EVENT_BYTES } from '../../governance/host/answer.js';
import { findContract, readContractFile } from '../../governance/host/find.js';
import { createDisk } from '../../io/disk.js';
import { DiskError } from '../../ports/disk.js';
import type { Io } from '../command.js';

interface Words {
  readonly host: HostName;
  readonly file?: string;
  readonly governance?: string;
}

/** `flow governance decide` (V-12): exit 0 or 2, whatever happens. */
export async function decide(command: Command, io: Io): Promise<number> {
  const answer = await answered(command.opts<Words>(), io);
  io.err(answer.stderr);
  if (answer.stdout === '') return answer.exitCode;
  await io.out(answer.stdout);
  // A question that nobody reads is none.
  return io.outClosed.aborted ? 2 : answer.exitCode;
}

async function answered({ host, file, governance }: Words, io: Io): Promise<HostAnswer> {
  const disk = createDisk();
  const project = io.env['CLAUDE_PROJECT_DIR'];
  try {
    if (file === undefined && io.inIsTerminal)
      return failureAnswer('The event is read from standard input: pipe it in, or name --file PATH.');
    const payload = file === undefined ? await readInput(io) : await disk.readHead(resolve(io.cwd, file), EVENT_BYTES);
    return await answerHost({
      host,
      payload,
      disk,
      contractFor: (cwd) =>
        governance === undefined
          ? findContract(project?.startsWith('/') ? resolve(project) : resolve(cwd), disk)
          : readContractFile(resolve(io.cwd, governance), disk),
    });
  } catch (error) {
    if (error instanceof DiskError)
      return failureAnswer(`The event could not be judged: ${error.operation} ${error.path} (${error.code}).`);
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    return failureAnswer(`The event could not be judged, by a fault of flow's own: ${first}`);
  }
}

async function readInput(io: Io): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of io.stdin()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= EVENT_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, EVENT_BYTES);
}
