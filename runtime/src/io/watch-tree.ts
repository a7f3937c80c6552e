import { watch } from 'chokidar';
import type { TreeListener, TreeWatch, WatchedPlaces } from '../ports/tree-watch.js';

/** The port on the real file system. Links are not followed. */
export async function watchTree({ folders, keeps }: WatchedPlaces, listener: TreeListener): Promise<TreeWatch> {
  // `atomic` would hold events back; whoever listens waits for quiet anyway.
  const watcher = watch([...folders], {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignorePermissionErrors: true,
    ignored: (path) => !keeps(path),
  });
  watcher.on('all', () => listener.changed());
  watcher.on('error', (error) => {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
    if (FATAL.has(code)) listener.failed(code);
    // What went away between its listing and a look at it is a change, and no fault.
    else listener.changed();
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return { close: () => watcher.close() };
}

const FATAL = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);
