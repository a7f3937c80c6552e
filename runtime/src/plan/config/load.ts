import { join } from 'node:path';
import { isUtf8 } from '@gated-flow/text';
import { type Disk, DiskError } from '../../ports/disk.js';
import type { HomeConfig } from '../plan.js';
import { found, refused, type Resolved } from '../refusal.js';
import { EMPTY_CONFIG } from './empty.js';

const CONFIG_MAX_BYTES = 1024 * 1024;

/** What a home's `config.yaml` says. Null: nothing says where the home is. */
export type ReadConfig = (home: string | null) => Promise<Resolved<HomeConfig>>;

/** The same, and each home is read when it is first asked for, and once. */
export function readOnce(read: ReadConfig): ReadConfig {
  const answers = new Map<string | null, ReturnType<ReadConfig>>();
  return (home) => {
    const answer = answers.get(home) ?? read(home);
    answers.set(home, answer);
    return answer;
  };
}

/** Reads the home's config; an absent file, or an absent home, is an empty one (O-5, I-11). What reads YAML is loaded when there is a file. */
export async function loadConfig(home: string | null, disk: Pick<Disk, 'real' | 'readHead'>): Promise<Resolved<HomeConfig>> {
  if (home === null) return found(EMPTY_CONFIG);
  try {
    const path = await disk.real(join(home, 'config.yaml'));
    if (path === null) return found(EMPTY_CONFIG);
    const bytes = await disk.readHead(path, CONFIG_MAX_BYTES + 1);
    if (bytes.length > CONFIG_MAX_BYTES) return fault('value-invalid', 'It is larger than 1 MiB.');
    if (!isUtf8(bytes)) return fault('frontmatter-invalid', 'It is not UTF-8 text.');
    const { readConfig } = await import('./read.js');
    return readConfig(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof DiskError) return fault('unreadable', `It could not be read: ${error.code}.`);
    throw error;
  }
}

function fault(code: 'value-invalid' | 'frontmatter-invalid' | 'unreadable', message: string): Resolved<HomeConfig> {
  return refused({ code, path: 'home:config.yaml', message });
}
