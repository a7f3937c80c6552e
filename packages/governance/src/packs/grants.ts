import type { PackRule } from './pack.js';

/** What gives leave, behind options of the command's own. */
const GIVES = String.raw`(?:-\S+ (?:[^-\s]\S* )?)*(?:(?:approve|deny|governance)\b|(?:\S+ )*--(?:authorize|accept-advisory)\b)`;

/** In every pack, and no exception lifts them (V-2): whoever asks for leave must not be able to give it. The agent is told nothing of them. */
export const GRANTS: readonly PackRule[] = [
  {
    id: 'grant',
    program: 'flow|gated-flow|flow.mjs',
    args: String.raw`^${GIVES}`,
    decision: 'deny',
    reason: 'Leave is given by a person, never by whoever asks for it.',
  },
  {
    id: 'grant-through',
    program: 'node|nodejs|npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|tsx',
    args: String.raw`(?:^|[\s/@:])(?:gated-)?flow(?:\.mjs|@\S+)? (?:-- )?${GIVES}`,
    decision: 'deny',
    reason: 'Leave is given by a person, never by whoever asks for it.',
  },
  {
    id: 'grant-script',
    program: 'bash|dash|ksh|sh|zsh',
    args: String.raw`^(?:-[^c\s]+ )*(?:\S*/)?(?:gated-)?flow(?:\.mjs)? ${GIVES}`,
    decision: 'deny',
    reason: 'Leave is given by a person, never by whoever asks for it.',
  },
  {
    id: 'grant-files',
    path: '**/flow/authorizations{,/**}',
    decision: 'deny',
    reason: 'Where leave is kept is nothing a command may touch.',
  },
];
