import type { PackRule } from './pack.js';

/** In every pack, and no exception lifts them (V-2): whoever asks for leave must not be able to give it. The agent is told nothing of them. */
export const GRANTS: readonly PackRule[] = [
  {
    id: 'grant',
    program: 'flow|gated-flow|flow.mjs',
    args: String.raw`^(?:approve|deny|governance)\b`,
    decision: 'deny',
    reason: 'Leave is given by a person, never by whoever asks for it.',
  },
  {
    id: 'grant-through',
    program: 'node|nodejs|npx|npm|pnpm|pnpx|yarn|bun|bunx|deno',
    args: String.raw`(?:^|[\s/@])(?:gated-)?flow(?:\.mjs|@\S+)? (?:--?\S+ )*(?:approve|deny|governance)\b`,
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
