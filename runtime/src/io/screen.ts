import { createLogUpdate } from 'log-update';
import type { Screen } from '../ports/screen.js';

/** The terminal behind standard error, repainted in place. Loaded only where there is one. */
export function openScreen(): Screen {
  const update = createLogUpdate(process.stderr);
  return {
    paint: (lines) => update(lines.join('\n')),
    print: (lines) => update.persist(lines.join('\n')),
    close: () => {
      update.clear();
      update.done();
    },
    get columns() {
      return process.stderr.columns || 80;
    },
    get rows() {
      return process.stderr.rows || 24;
    },
  };
}
