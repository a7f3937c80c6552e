import { randomBytes } from 'node:crypto';
import type { Ids } from '../ports/ids.js';

export function createIds(): Ids {
  return {
    hex: (digits) =>
      randomBytes(Math.ceil(digits / 2))
        .toString('hex')
        .slice(0, digits),
    fraction: () => Math.random(),
  };
}
