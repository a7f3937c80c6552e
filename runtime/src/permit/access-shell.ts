import { isAbsolute, posix } from 'node:path';
import { loadShellReader } from '@gated-flow/shell';
import { slotForm, type Slots } from '../agent/tools/place.js';
import { ALLOWED, denied, type Caller, type Permission } from './link.js';

/**
 * Builtins that start nothing and touch nothing but the shell itself. What can evaluate text or start a program (`eval`, `.`,
 * `source`, `exec`, `trap`, `alias`, `builtin`) is not among them and must be listed. `command` is, because what it starts is judged too.
 */
const FREE = new Set(
  ': [ [[ break cd command continue declare dirs echo exit export false getopts hash jobs local popd printf pushd pwd read readonly return set shift shopt test times true type typeset ulimit umask unset wait'.split(
    ' ',
  ),
);

/** Every simple command of the text starts a listed program. Where output is redirected to is not looked at. */
export async function accessToShell(command: string, allowed: readonly string[], { slots }: Caller): Promise<Permission> {
  const reader = await loadShellReader();
  const read = await reader.read(command);
  if (!read.ok) return denied(`The command could not be understood: ${read.message} ${advice(allowed)}`);
  for (const { program, text } of read.commands) {
    if (program === null)
      return denied(`It cannot be told beforehand which program \`${text}\` starts: name it directly. ${advice(allowed)}`);
    if (!isAllowed(program, allowed, slots)) return denied(`\`${program}\` may not be used in a command. ${advice(allowed)}`);
  }
  return ALLOWED;
}

/**
 * As listed; or by an absolute path whose last part is listed. A relative path, or one in a slot, must be listed as written: what
 * lies there may have been put there under a listed name.
 */
function isAllowed(program: string, allowed: readonly string[], slots: Slots): boolean {
  if (FREE.has(program) || allowed.includes(program)) return true;
  return isAbsolute(program) && allowed.includes(posix.basename(program)) && slotForm(posix.normalize(program), slots) === null;
}

function advice(allowed: readonly string[]): string {
  return `Programs that may be used: ${allowed.join(', ')}; and shell built-ins such as cd, echo, test and export.`;
}
