import { extname } from 'node:path';
import type { Given } from '../stage/scope.js';

/** The same bytes under the name of what they come from; the extension stays (S-3). */
export function renamed(output: Given, name: string): Given {
  return { ...output, name: `${name}${extname(output.name)}` };
}
