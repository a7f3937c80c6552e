import { closeSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ProgramRequest } from '../../ports/programs.js';
import { openRegular, readStart } from '../disk/regular.js';

/** Why a program did not start, in words for its author. */
export function explainUnstartable(request: ProgramRequest, code: string | undefined): string {
  const { file, cwd } = request;
  switch (code) {
    case 'ENOENT':
      if (!isFolder(cwd)) return `The working directory ${cwd} does not exist.`;
      return explainMissing(file);
    case 'EACCES':
      // A folder of the PATH that this user may not look into answers so for a name that is nowhere.
      if (!file.includes('/')) return `There is no program ${file} on the PATH that you may execute.`;
      if (isFolder(file)) return `${file} is a folder, not a program.`;
      return `${file} could not be executed: it is not executable, or it lies where execution is not allowed. Try: chmod +x ${file}`;
    case 'ENOEXEC':
      return `${file} is not a program this machine can execute: it has no shebang, or was built for another system.`;
    case 'ETXTBSY':
      return `${file} is open for writing and cannot be executed.`;
    case 'ENOTDIR':
      return `A part of the path ${file} or ${cwd} is not a folder.`;
    case 'E2BIG':
      return `${file} could not be started: its arguments and environment are too large.`;
    default:
      return `${file} could not be started (${code ?? 'unknown error'}).`;
  }
}

/** A script whose interpreter is missing fails exactly as a missing script does. */
function explainMissing(file: string): string {
  const interpreter = interpreterOf(file);
  if (interpreter === null) return isAbsolute(file) ? `${file} does not exist.` : `There is no program ${file} on the PATH.`;
  if (interpreter.endsWith('\r')) {
    return `The first line of ${file} ends in a carriage return, so its interpreter is not found. Save the file with \\n line ends.`;
  }
  return `The interpreter of ${file} does not exist: ${interpreter}`;
}

function interpreterOf(file: string): string | null {
  if (!isAbsolute(file)) return null;
  try {
    const opened = openRegular('read', file, true);
    try {
      const [line = ''] = readStart(opened, 256).toString('latin1').split('\n');
      return line.startsWith('#!') ? (/^\s*([^ \t]*)/.exec(line.slice(2))?.[1] ?? null) : null;
    } finally {
      closeSync(opened.fd);
    }
  } catch {
    return null;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
