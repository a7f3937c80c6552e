/** What stands on a disk, and why it could not be read, in words. */

export type Kind = 'file' | 'folder' | 'link' | 'pipe' | 'socket' | 'device' | 'not-utf8';

export const SPECIAL: Readonly<Record<Exclude<Kind, 'file' | 'folder'>, string>> = {
  link: '',
  pipe: 'This is a named pipe.',
  socket: 'This is a socket.',
  device: 'This is a device.',
  'not-utf8': 'The name is not valid UTF-8, so nothing can name it. Rename it.',
};

/** Completes a sentence: what the system's error means to a person. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'you have no permission';
    case 'ELOOP':
      return 'it became a symbolic link while it was read';
    case 'ENAMETOOLONG':
      return 'its path is too long';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open';
    case 'ENOENT':
      return 'it vanished while it was read';
    default:
      return typeof code === 'string' ? `the system says ${code}` : 'the system refused';
  }
}
