import { ALLOWED, type Link } from './link.js';

/** The governance contract over the run: what it denies is not done (V-4). */
export const governance: Link = {
  name: 'governance',
  judge: (call, caller) => caller.governance?.judge(call, caller) ?? ALLOWED,
};

/** What it wants approved waits for leave, after everything else that could object (L-7, V-5). */
export const approval: Link = {
  name: 'approval',
  judge: (call, caller) => caller.governance?.approve(call) ?? ALLOWED,
};
