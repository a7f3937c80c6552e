import { join } from 'node:path';
import { isUtf8 } from '@gated-flow/text';
import { DiskError } from '../../ports/disk.js';
import type { HomeConfig } from '../plan.js';
import type { PreparePorts } from '../prepare.js';
import { found, refused, type Resolved } from '../refusal.js';
import { EMPTY_CONFIG, readConfig } from './read.js';

const CONFIG_MAX_BYTES = 1024 * 1024;

/** The home's config; an absent file, or an absent home, is an empty one (O-5, I-11). */
export async function loadConfig(home: string, disk: Pick<PreparePorts['disk'], 'real' | 'readHead'>): Promise<Resolved<HomeConfig>> {
  try {
    const path = await disk.real(join(home, 'config.yaml'));
    if (path === null) return found(EMPTY_CONFIG);
    const bytes = await disk.readHead(path, CONFIG_MAX_BYTES + 1);
    if (bytes.length > CONFIG_MAX_BYTES) return fault('value-invalid', 'It is larger than 1 MiB.');
    if (!isUtf8(bytes)) return fault('frontmatter-invalid', 'It is not UTF-8 text.');
    return readConfig(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof DiskError) return fault('unreadable', `It could not be read: ${error.code}.`);
    throw error;
  }
}

function fault(code: 'value-invalid' | 'frontmatter-invalid' | 'unreadable', message: string): Resolved<HomeConfig> {
  return refused({ code, path: 'home:config.yaml', message });
}
