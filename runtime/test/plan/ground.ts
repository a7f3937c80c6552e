import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readAssembly } from '@gated-flow/assembly';
import { createDisk } from '../../src/io/disk.js';
import { openConfigs } from '../../src/io/home-config.js';
import { discoverDefault } from '../../src/models/discovery.js';
import type { Invocation } from '../../src/plan/invocation.js';
import type { PreparePorts, StandardInput } from '../../src/plan/prepare.js';
import { scratchFolder } from '../io/scratch.js';

export type Planted = string | Uint8Array | { readonly x: string } | { readonly link: string } | { readonly dir: true };
export type Tree = Readonly<Record<string, Planted>>;

export function plant(root: string, tree: Tree): string {
  for (const [path, planted] of Object.entries(tree)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    if (typeof planted === 'string' || planted instanceof Uint8Array) writeFileSync(at, planted);
    else if ('link' in planted) symlinkSync(planted.link, at);
    else if ('dir' in planted) mkdirSync(at, { recursive: true });
    else {
      writeFileSync(at, planted.x);
      chmodSync(at, 0o755);
    }
  }
  return root;
}

export const stage = (body = 'Write the word.', front = ''): string => `---\n${front}---\n${body}\n`;
export const sh = (text: string): Planted => ({ x: `#!/bin/sh\n${text}\n` });

/** One flow `main` with the given entries under it. */
export function assembly(entries: Tree, root: Tree = {}): Tree {
  const inside = Object.fromEntries(Object.entries(entries).map(([path, planted]) => [`flows/main/${path}`, planted]));
  return {
    'ASSEMBLY.md': '---\n---\nHelp the reader.\n',
    'flows/main/FLOW.md': '---\ndescription: A flow for a test\n---\n',
    ...inside,
    ...root,
  };
}

/** Standard input that holds the bytes, and says when it was read. */
export function input(
  bytes: string | Uint8Array,
  isTerminal = false,
): StandardInput & { readonly reads: number[]; readonly said: string[] } {
  const reads: number[] = [];
  const said: string[] = [];
  return {
    isTerminal,
    reads,
    said,
    notice: (sentence) => void said.push(sentence),
    read: (limit, silent) => {
      reads.push(limit);
      silent();
      return Promise.resolve(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    },
  };
}

/** A folder with an assembly `a`, a home, and a working tree, and the real disk. The terminal has nothing to say. */
export function ground(tree: Tree, more: Partial<PreparePorts> = {}): { readonly root: string; readonly ports: PreparePorts } {
  const root = scratchFolder();
  plant(join(root, 'a'), tree);
  plant(root, { work: { dir: true } });
  const env = more.env ?? { PATH: process.env['PATH'] };
  return {
    root,
    ports: {
      env: { HOME: join(root, 'user'), FLOW_HOME: join(root, 'home'), ...env },
      cwd: more.cwd ?? join(root, 'work'),
      disk: createDisk(),
      readConfig: openConfigs(),
      readAssembly,
      stdin: more.stdin ?? input('', true),
      discover: more.discover ?? (() => Promise.resolve(discoverDefault(env))),
    },
  };
}

/** A check of `../a` with nothing else said. */
export function invocation(more: Partial<Invocation> = {}): Invocation {
  return {
    purpose: 'check',
    target: '../a',
    request: { words: [], none: false },
    slots: [],
    optionNames: ['retries', 'json'],
    options: {},
    route: false,
    models: 'provider',
    ...more,
  };
}
