import { readFileSync } from 'node:fs'; // fails: @typescript-eslint/no-restricted-imports
import { spawn } from 'child_process'; // fails: @typescript-eslint/no-restricted-imports
import { randomUUID } from 'node:crypto'; // fails: @typescript-eslint/no-restricted-imports
import { execa } from 'execa'; // fails: @typescript-eslint/no-restricted-imports
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';

export const disk = (path: string): string => readFileSync(path, 'utf8');
export const program = (file: string): unknown => [spawn(file), execa(file)];
export const lazyDisk = (): Promise<unknown> => import('node:fs/promises'); // fails: no-restricted-syntax
export const random = (): unknown => [
  Math.random(), // fails: no-restricted-properties
  randomUUID(),
  crypto.randomUUID(), // fails: no-restricted-globals
];
export const environment = (): unknown => process.env['HOME']; // fails: no-restricted-globals
export const leave = (): never => process.exit(1); // fails: no-restricted-globals
export const network = (): Promise<unknown> => fetch('http://localhost'); // fails: no-restricted-globals
export const print = (text: string): void => console.log(text); // fails: no-restricted-globals
export const clocks = (): unknown => [
  Date.now(), // fails: no-restricted-properties
  new Date(), // fails: no-restricted-syntax
  Date(), // fails: no-restricted-syntax
  performance.now(), // fails: no-restricted-globals
  setTimeout(() => undefined, 1), // fails: no-restricted-globals
  setInterval(() => undefined, 1), // fails: no-restricted-globals
  AbortSignal.timeout(1), // fails: no-restricted-properties
];
export const around = (): unknown => globalThis.process; // fails: no-restricted-globals

// What is pure stays allowed.
export const pure = (text: string): string => createHash('sha256').update(text).digest('hex') + new Date(0).toISOString();
export const typed = (stats: Stats): number => stats.size;
