import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Contract, ContractFault, ContractResult } from '../contract.js';
import { loadFrom } from '../load.js';
import { diskParents, readSource } from './disk.js';
import { findPlugin } from './plugins.js';
import { remoteParents } from './remote.js';
import type { Environment } from './web.js';

export interface LoadOptions {
  /** What a relative path is relative to; the working directory when left out. */
  readonly cwd?: string;
  /** Fetch what is extended over https. */
  readonly allowRemote?: boolean;
  readonly env?: Environment;
}

/** A contract file and everything it extends, from the disk and, when allowed, over https (C-1, C-2). Faults are values. */
export async function loadContract(path: string, options: LoadOptions = {}): Promise<ContractResult> {
  const { cwd = process.cwd(), allowRemote = false, env = process.env } = options;
  const read = await readSource(path, cwd);
  if (!read.ok) return { ok: false, faults: [{ severity: 'error', file: path, line: 1, column: 1, message: read.message }] };
  const result = await loadFrom(read.source, diskParents(allowRemote ? remoteParents(cacheFolder(env), env) : null, cwd));
  if (!result.ok) return result;
  const faults = await pluginFaults(result.contract);
  return faults.length === 0 ? result : { ok: false, faults: [...faults, ...result.warnings] };
}

function cacheFolder(env: Environment): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agentcontract');
}

async function pluginFaults({ clauses }: Contract): Promise<ContractFault[]> {
  const faults: ContractFault[] = [];
  for (const clause of clauses) {
    if (clause.type !== 'assert' || clause.check.kind !== 'custom') continue;
    const { plugin } = clause.check;
    if ((await findPlugin(plugin, clause.origin.from)) !== null) continue;
    const { file, line, column } = clause.origin;
    const message = `The plugin ${plugin} of the assertion "${clause.name}" is neither a file beside the contract nor an installed package.`;
    faults.push({ severity: 'error', file, line, column, message });
  }
  return faults;
}
