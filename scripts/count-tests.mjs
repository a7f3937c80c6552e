#!/usr/bin/env node
// Runs the tests as `npm test` does, and ends with `N passed, N failed`. The whole result is kept in .tmp/tests.json.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const summary = join(root, '.tmp/tests.json');
await mkdir(join(root, '.tmp'), { recursive: true });
await rm(summary, { force: true });

const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${summary}`];
const child = spawn('npm', ['test', '--silent', '--', ...reporters], { cwd: root, stdio: 'inherit' });
const code = await new Promise((resolve) => child.on('close', resolve));

const result = await readFile(summary, 'utf8').then(JSON.parse, () => null);
if (result === null) console.log('The tests left no summary.');
else {
  for (const { name, assertionResults } of result.testResults)
    for (const { status, fullName } of assertionResults)
      if (status === 'pending' || status === 'skipped') console.log(`skipped: ${name}: ${fullName}`);
  // A file that could not be loaded holds no failing test; it fails all the same.
  const unloaded = result.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0).length;
  console.log(`${result.numPassedTests} passed, ${result.numFailedTests + unloaded} failed`);
}
process.exitCode = code === 0 ? 0 : 1;
