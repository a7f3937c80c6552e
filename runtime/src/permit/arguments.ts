import { ALLOWED, type Link } from './link.js';

/** The arguments fit the tool's schema (L-6). */
export const argumentsFit: Link = {
  name: 'arguments',
  judge({ tool, input }) {
    const fault = tool.check(input);
    return fault === null ? ALLOWED : { ok: false, denied: false, output: fault };
  },
};
