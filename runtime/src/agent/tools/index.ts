import { bash } from './bash.js';
import { edit } from './edit.js';
import { read } from './read.js';
import type { Tool } from './tool.js';
import { write } from './write.js';

/** The tools every agent works with (L-6), in the order it is told of them. */
export const TOOLS: readonly Tool[] = [read, write, edit, bash];
