#!/usr/bin/env node
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bench } from '../lib/bench.mjs';
import { root } from '../lib/root.mjs';

const mebibyte = 1024 * 1024;

await bench({
  name: '[Q-12] size of the production dependencies',
  async measure() {
    const listed = execFileSync('npm', ['ls', '--workspace', 'gated-flow', '--omit=dev', '--all', '--parseable'], {
      cwd: root,
      encoding: 'utf8',
    });
    const folders = [...new Set(listed.trim().split('\n'))].filter((folder) => folder.includes('node_modules/'));
    const installed = folders
      .map((folder) => ({ name: folder.split('node_modules/').at(-1), size: sizeOf(folder) }))
      .filter(({ size }) => size > 0);
    const total = installed.reduce((sum, { size }) => sum + size, 0) / mebibyte;
    const largest = installed.sort((a, b) => b.size - a.size).slice(0, 5);
    const everything = sizeOf(join(root, 'node_modules'), true) / mebibyte;
    return {
      figures: [
        { name: `${installed.length} packages`, value: total, unit: ' MiB', target: 60 },
        { name: 'the bundle alone', value: sizeOf(join(root, 'runtime/dist'), true) / mebibyte, unit: ' MiB' },
        { name: 'against everything installed for development', value: total / everything, unit: '×' },
      ],
      beside: `largest: ${largest.map(({ name, size }) => `${name} ${(size / mebibyte).toFixed(1)}`).join(', ')}`,
    };
  },
});

/** Bytes below a folder; packages inside it are counted by themselves unless `nested`. Links are not followed. */
function sizeOf(folder, nested = false) {
  let bytes = 0;
  if (lstatSync(folder).isSymbolicLink()) return 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += lstatSync(path).size;
    else if (entry.isDirectory() && (nested || entry.name !== 'node_modules')) bytes += sizeOf(path, nested);
  }
  return bytes;
}
