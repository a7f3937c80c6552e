import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TreeEntry } from '../src/index.js';
import { readTree } from '../src/index.js';
import { sha256 } from './plant-run.js';

let root = '';
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'tree-'))));
afterEach(() => rmSync(root, { recursive: true }));

async function entries(leftOut: readonly string[] = []): Promise<readonly TreeEntry[]> {
  const found: TreeEntry[] = [];
  for await (const entry of readTree(root, new Set(leftOut))) found.push(entry);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

describe('the tree of a run', () => {
  it.each([0, 1, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, (2 << 20) + 3])(
    '[R-8 Q-9] hashes a file of %i bytes and counts its lines',
    async (bytes) => {
      const content = Buffer.alloc(bytes, '{"a line":1}\n');
      writeFileSync(join(root, 'session.jsonl'), content);
      writeFileSync(join(root, 'output'), content, { mode: 0o755 });
      const file = { kind: 'file', bytes, sha256: sha256(content) };
      expect(await entries()).toEqual([
        { ...file, path: 'output', executable: true, lines: null },
        { ...file, path: 'session.jsonl', executable: false, lines: content.toString().split('\n').length - 1 },
      ]);
    },
  );

  it('[R-8] reads every folder of many, and nothing of what is left out', async () => {
    const paths = Array.from({ length: 300 }, (_, n) => `stages/${n}/1/file`);
    for (const path of paths) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), path);
    }
    const found = await entries(['stages/7', 'stages/8/1/file']);
    const kept = paths.filter((path) => !/^stages\/[78]\//.test(path)).sort();
    expect(found.map(({ path }) => path)).toEqual(kept);
    expect(found.every((entry) => entry.kind === 'file' && entry.sha256 === sha256(entry.path))).toBe(true);
  });

  it('[R-8] names a link and follows none', async () => {
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'folder', 'file'), 'x');
    symlinkSync('folder', join(root, 'link'));
    expect((await entries()).map(({ kind, path }) => `${kind} ${path}`)).toEqual(['file folder/file', 'link link']);
  });
});
