import type { OpenFingerprints } from '../../ports/fingerprint.js';
import { codeOf } from '../disk/guard.js';
import type { Known } from './file.js';
import { NoPrint } from './no-print.js';
import { walk } from './walk.js';

/** The port on the real file system. */
export const openFingerprints: OpenFingerprints = (leftOut) => {
  const known = new Map<string, Known>();
  return {
    async of(path, stop) {
      try {
        return { print: 'taken', sha256: await walk(path, { known, leftOut, stop }) };
      } catch (error) {
        if (error instanceof NoPrint) return { print: 'none', why: error.message };
        const code = codeOf(error);
        if (code === null) throw error;
        return { print: 'none', why: `${path} cannot be read whole (${code})` };
      }
    },
  };
};
