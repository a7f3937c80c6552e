/** Gates and hooks: whether the file can be started at all. */
import type { FileEntry } from '../snapshot.js';
import type { Executable } from '../tree.js';
import type { Reading } from './reading.js';
import { shellWord } from './reading.js';
import type { Ground } from './spot.js';

export function readExecutable(reading: Reading, file: FileEntry, ground: Ground): Executable {
  const program = programFault(reading, file);
  const bit: ProgramFault | undefined = file.executable
    ? undefined
    : { message: 'It has no executable bit (chmod +x).', fix: `chmod +x ${shellWord(reading, file.path)}` };
  const faults = [bit, program].filter((fault) => fault !== undefined);
  if (faults.length > 0) {
    const message = ['It runs as a program, but the system cannot start it.', ...faults.map((fault) => fault.message)].join(' ');
    const fixes = faults.flatMap(({ fix }) => fix ?? []);
    reading.refuse('not-runnable', file.path, message, fixes.length > 0 ? fixes.join(' && ') : undefined);
  }
  const name = ground.folder === '.' ? file.path : file.path.slice(ground.folder.length + 1);
  return { path: file.path, name, sha256: file.sha256, libs: ground.libs };
}

interface ProgramFault {
  readonly message: string;
  readonly fix?: string;
}

/** The first two bytes of a script, and the headers of compiled programs on the systems that run us. */
const BINARY_HEADERS = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];
/** The longest first line that a kernel reads. */
const MAX_SHEBANG_BYTES = 255;

function programFault(reading: Reading, file: FileEntry): ProgramFault | undefined {
  const head = Buffer.from(file.head);
  if (BINARY_HEADERS.includes(head.subarray(0, 4).toString('hex'))) return undefined;
  const text = head.toString('latin1');
  if (text.startsWith('\u00ef\u00bb\u00bf#!')) {
    return { message: 'A byte-order mark stands before its "#!".', fix: `sed -i '1s/^\\xEF\\xBB\\xBF//' ${shellWord(reading, file.path)}` };
  }
  if (!text.startsWith('#!'))
    return { message: 'Its first line is no shebang, and it is no compiled program. Begin it with a line such as "#!/bin/sh".' };
  return shebangFault(reading, file, text);
}

function shebangFault(reading: Reading, file: FileEntry, text: string): ProgramFault | undefined {
  const line = text.split('\n', 1)[0] ?? '';
  if (line.length > MAX_SHEBANG_BYTES) return { message: `Its shebang is longer than ${MAX_SHEBANG_BYTES} bytes, which no system reads.` };
  if (line.endsWith('\r')) {
    return {
      message:
        'Its shebang ends in a carriage return (Windows line ends), so the system would look for a program with that character in its name.',
      fix: `sed -i 's/\\r$//' ${shellWord(reading, file.path)}`,
    };
  }
  const interpreter = line.slice(2).trim();
  if (interpreter === '') return { message: 'Its shebang names no program. Write one such as "#!/bin/sh".' };
  if (!interpreter.startsWith('/')) return { message: 'Its shebang names a program without its full path. Write "#!/usr/bin/env NAME".' };
  return undefined;
}
