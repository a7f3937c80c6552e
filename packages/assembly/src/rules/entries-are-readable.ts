import type { Rule } from './rule.js';

/** Links, sockets, pipes, devices, names that are no UTF-8, and what cannot be read. */
export const entriesAreReadable: Rule = ({ snapshot }, refuse) => {
  for (const entry of snapshot.entries.values()) {
    switch (entry.kind) {
      case 'link':
        refuse(
          'symlink',
          entry.path,
          `This is a symbolic link${entry.detail}. An assembly is read without following links, so that it is the same everywhere. Copy what it points to.`,
        );
        break;
      case 'other':
        refuse('entry-unknown', entry.path, `${entry.detail} An assembly holds only files and folders.`);
        break;
      case 'unreadable':
        refuse('unreadable', entry.path, entry.detail);
        break;
      default:
        break;
    }
  }
};
