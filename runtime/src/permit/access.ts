import { accessToFile } from './access-file.js';
import { accessToShell } from './access-shell.js';
import { ALLOWED, denied, type Link } from './link.js';

/** The stage's `access` map. A policy on calls, not containment: what an allowed program does is not seen here. */
export const access: Link = {
  name: 'access',
  judge({ tool, input }, caller) {
    const reach = tool.reach(input);
    if (!caller.access || reach === null) return ALLOWED;
    const allowed = caller.access[reach.operation];
    if (!allowed || allowed.length === 0) return denied(`\`${reach.operation}\` may not be used here.`);
    return reach.operation === 'bash' ? accessToShell(reach.command, allowed, caller) : accessToFile(reach, allowed, caller);
  },
};
