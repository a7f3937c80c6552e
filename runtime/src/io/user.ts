import { userInfo } from 'node:os';

/** Who runs this process: as the environment says, else as the system knows; `somebody` where neither does. */
export function userName(env: Readonly<Record<string, string | undefined>>): string {
  return env['USER'] || env['LOGNAME'] || known() || 'somebody';
}

function known(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
