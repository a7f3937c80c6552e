import { delimiter, join } from 'node:path';
import type { Assembly, Refusal, Stage } from '@gated-flow/assembly';
import { DiskError } from '../../ports/disk.js';
import type { PreparePorts } from '../prepare.js';
import { realPath } from '../real-path.js';
import { readShebang, type Interpreter } from './shebang.js';
import { executablesOf, type WarningFacts } from './warning.js';

type Ports = Pick<PreparePorts, 'disk' | 'env'>;

/** Asks the machine what the warnings need to know; nothing is executed. */
export async function gatherFacts(
  assembly: Assembly,
  stages: readonly Stage[],
  { ports, models }: { ports: Ports; models: readonly Refusal[] },
): Promise<WarningFacts> {
  const interpreters = new Map<string, Interpreter>();
  const provenToFail = new Set<string>();
  for (const stage of stages) {
    for (const { path } of executablesOf(stage)) {
      const entry = assembly.snapshot.entries.get(path);
      const interpreter = entry?.kind === 'file' ? readShebang(entry.head)?.interpreter : undefined;
      if (interpreter) interpreters.set(interpreter.spelled, interpreter);
    }
    if (stage.gates.length > 0 && (await hasFixture(join(assembly.snapshot.root, stage.entry, '.fixtures/fail'), ports)))
      provenToFail.add(stage.entry);
  }
  const missing = new Set<string>();
  for (const [spelled, interpreter] of interpreters) if (!(await isThere(interpreter, ports))) missing.add(spelled);
  return { missing, provenToFail, models };
}

/** A folder that cannot be read shows nothing. */
async function hasFixture(folder: string, { disk }: Ports): Promise<boolean> {
  try {
    if ((await disk.look(folder))?.kind !== 'folder') return false;
    const names = await disk.list(folder);
    return names.some((name) => !name.startsWith('.'));
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}

async function isThere({ spelled, byPath }: Interpreter, { disk, env }: Ports): Promise<boolean> {
  const folders = byPath ? (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '') : [''];
  for (const folder of folders) {
    const path = await realPath(folder === '' ? spelled : join(folder, spelled), disk);
    const standing = path === null ? null : await disk.look(path);
    if (standing?.kind === 'file' && standing.executable) return true;
  }
  return false;
}
