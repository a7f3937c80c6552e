/** The work of earlier runs in one home, for one run or child run (G-12). */
import type { Disk } from '../../ports/disk.js';
import type { Fingerprints } from '../../ports/fingerprint.js';
import type { ModelSource } from '@gated-flow/record';
import type { Found, Reuse } from '../../stage/reuse/reuse.js';
import { entryPath, entryText, parseEntry } from './entry.js';
import { proveEntry } from './prove.js';

/** More than a note can have. */
const ENTRY_BYTES = 1 << 16;

export interface ReuseScope {
  /** Absolute. */
  readonly home: string;
  /** The outermost run. */
  readonly run: string;
  /** Where the child run stands in that run's folder; null for the run itself. */
  readonly child: string | null;
  /** This program's version. */
  readonly runtime: string;
  readonly source: ModelSource;
  /** SHA-256 of the script that answers for the model, when one does. */
  readonly script?: string;
  readonly fingerprints: Fingerprints;
  readonly stop: AbortSignal;
  readonly disk: Disk;
}

export function openReuse({ home, run, child, runtime, source, script, fingerprints, stop, disk }: ReuseScope): Reuse {
  const forget = (shape: string): Promise<void> => disk.remove(entryPath(home, shape));
  return {
    runtime,
    modelOf(intelligence, fixture) {
      if (source === 'rehearsal') return { source, fixture: fixture === null ? null : Buffer.from(fixture).toString('base64') };
      if (source === 'scripted') return script === undefined ? null : { source, script };
      if (source !== 'provider' || intelligence === null) return null;
      const { provider, model, reasoning, baseUrl = intelligence.sentTo, maxOutputTokens } = intelligence;
      return {
        ...{ source, provider, model },
        ...(reasoning === undefined ? {} : { reasoning }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      };
    },
    fingerprint: (path) => fingerprints.of(path, stop),
    async find(shape) {
      const path = entryPath(home, shape);
      if ((await disk.look(path))?.kind !== 'file') return none('no earlier run has done this very work with --reuse');
      const entry = parseEntry(Buffer.from(await disk.readHead(path, ENTRY_BYTES)).toString());
      if (entry?.run === run) return none('this run has done the same work itself');
      const earlier = entry && (await proveEntry(home, entry, disk));
      if (earlier) return { found: 'work', earlier };
      await forget(shape);
      return none(entry === null ? 'the note of the earlier work is damaged' : `the work of ${entry.run} is gone or was changed`);
    },
    remember: (shape, { stage, repeat = null, sha256 }) =>
      disk.write(entryPath(home, shape), entryText({ run, child, stage, repeat, sha256 })),
    forget,
  };
}

function none(why: string): Found {
  return { found: 'none', why };
}
