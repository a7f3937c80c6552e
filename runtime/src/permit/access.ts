import { accessToFile } from './access-file.js';
import { accessToShell } from './access-shell.js';
import type { Reach } from '../agent/tools/tool.js';
import { ALLOWED, type Caller, denied, type Link, type Permission } from './link.js';

/** The stage's `access` map. A policy on calls, not containment: what an allowed program does is not seen here. */
export const access: Link = {
  name: 'access',
  async judge({ tool, input }, caller) {
    for (const reach of caller.access ? tool.reach(input) : []) {
      const permission = await judgeReach(reach, caller);
      if (!permission.ok) return permission;
    }
    return ALLOWED;
  },
};

function judgeReach(reach: Reach, caller: Caller): Permission | Promise<Permission> {
  const allowed = caller.access?.[reach.operation];
  if (!allowed || allowed.length === 0) return denied(`\`${reach.operation}\` may not be used here.`);
  return reach.operation === 'bash' ? accessToShell(reach.command, allowed, caller) : accessToFile(reach, allowed, caller);
}
