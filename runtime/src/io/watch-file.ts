import { watch } from 'chokidar';
import type { FileWatch } from '../ports/file-watch.js';

/** The port on the real file system. */
export function watchFile(path: string): FileWatch {
  const watcher = watch(path, { ignoreInitial: true });
  let wake = (): void => {};
  watcher.on('change', () => wake());
  // What cannot be watched is still looked at by whoever waits no longer than it likes.
  watcher.on('error', () => {});
  return {
    changed: () => new Promise((resolve) => (wake = resolve)),
    close: () => watcher.close(),
  };
}
