import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JudgeCache } from '../evaluate/ports.js';
import { makeFolder } from './disk.js';

const MOST = 10_000;

/** For one run of the program; the oldest of ten thousand answers goes first. */
export function memoryCache(): JudgeCache {
  const answers = new Map<string, string>();
  return {
    get: async (key) => answers.get(key),
    async set(key, answer) {
      if (answers.size >= MOST) answers.delete(answers.keys().next().value ?? '');
      answers.set(key, answer);
    },
  };
}

/** In a directory, a file an answer: `--judge-cache DIR`. What cannot be kept is asked again. */
export function directoryCache(directory: string): JudgeCache {
  const path = (key: string): string => join(directory, `${key}.json`);
  return {
    get: (key) => readFile(path(key), 'utf8').catch(() => undefined),
    async set(key, answer) {
      try {
        await makeFolder(resolve(directory));
        await writeFile(`${path(key)}.${process.pid}`, answer, { mode: 0o600 });
        await rename(`${path(key)}.${process.pid}`, path(key));
      } catch {
        return;
      }
    },
  };
}
