#!/usr/bin/env node
// Bundles each command with its library into its dist, and emits the libraries' types.
//   node scripts/build.mjs            everything
//   node scripts/build.mjs --no-types the bundles alone (half a second)
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { root } from './lib/root.mjs';
import { keepWasmRuntime, moduleOfJsoncParser, namesOfCommonJs } from './lib/bundle-plugins.mjs';
import { emitTypes } from './lib/emit-types.mjs';
import { thirdPartyLicences } from './lib/licences.mjs';

/** What is published: a command and a library each, in a `dist` of its own. */
const targets = [
  {
    folder: join(root, 'runtime'),
    entries: { flow: 'src/cli/bin.ts', index: 'src/index.ts' },
    version: 'FLOW_VERSION',
    types: 'scripts/tsconfig.types.json',
    shellReader: true,
  },
  {
    folder: join(root, 'packages/contract'),
    entries: { agentcontract: 'src/cli/bin.ts', index: 'src/index.ts' },
    version: 'CONTRACT_VERSION',
    types: 'scripts/tsconfig.contract-types.json',
    shellReader: false,
  },
];

// CommonJS dependencies ask for node's own modules by `require`, which an ES module does not have.
const requireBuiltin =
  'const require=(id)=>{const found=process.getBuiltinModule(id);if(found)return found;' +
  "throw Object.assign(new Error(`Cannot find module '${id}'`),{code:'MODULE_NOT_FOUND'})};\n";

const esbuild = await import('esbuild').catch(() => null);
if (esbuild === null) {
  console.log('build: esbuild is not installed (an install without development dependencies); nothing was built.');
  process.exit(0);
}

const began = performance.now();
const types = process.argv.includes('--no-types')
  ? []
  : targets.map((target) => emitTypes(target.types, join(target.folder, 'dist/types')));
for (const target of targets) {
  const files = await bundle(target).catch((error) => {
    if (!Array.isArray(error.errors)) throw error;
    // esbuild has said where.
    process.exit(1);
  });
  console.log(`build: ${files.length} files in ${relative(root, target.folder)}/dist, ${kibibytes(files)} KiB, ${seconds()} s`);
}
for (const emitted of types) console.log(`build: ${await emitted}, ${seconds()} s`);

async function bundle(target) {
  const dist = join(target.folder, 'dist');
  const { version } = JSON.parse(await readFile(join(target.folder, 'package.json'), 'utf8'));
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(target.entries).map(([name, source]) => [name, join(target.folder, source)])),
    conditions: ['gated-flow-source'],
    outdir: dist,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    // sh-syntax looks for `../main.wasm` beside the file it ends up in.
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    // Names stay, so that a stack trace can be read.
    minifyIdentifiers: false,
    legalComments: 'none',
    define: { [target.version]: JSON.stringify(version), 'process.env.NODE_ENV': '"production"' },
    plugins: [keepWasmRuntime, moduleOfJsoncParser, namesOfCommonJs],
    logLevel: 'warning',
  });
  const written = result.outputFiles.map(({ path, text }) => ({
    path,
    text: /\bvar __require\s*=/.test(text) ? requireBuiltin + text : text,
  }));
  for (const { path, text } of written) {
    const [asked] = /\brequire\d*\("\.[^"]*"\)/.exec(text) ?? [];
    if (asked) throw new Error(`${relative(root, path)} asks for ${asked}, which is not in the bundle: see scripts/lib/bundle-plugins.mjs`);
  }
  written.push({
    path: join(dist, 'third-party-licenses.txt'),
    text: await thirdPartyLicences(result.metafile, target.shellReader ? ['node_modules/sh-syntax'] : []),
  });
  await mkdir(join(dist, 'chunks'), { recursive: true });
  // Chunks first: whoever starts the command meanwhile finds the old one whole or the new one whole.
  written.sort((a, b) => Number(b.path.includes('/chunks/')) - Number(a.path.includes('/chunks/')));
  for (const { path, text } of written) await writeFile(path, text);
  if (target.shellReader)
    await copyFile(createRequire(join(root, 'packages/shell/package.json')).resolve('sh-syntax/main.wasm'), join(dist, 'main.wasm'));
  await removeStale(join(dist, 'chunks'), new Set(written.map(({ path }) => path)));
  return written;
}

async function removeStale(folder, current) {
  for (const name of await readdir(folder)) if (!current.has(join(folder, name))) await rm(join(folder, name), { force: true });
}

function kibibytes(written) {
  return Math.round(written.reduce((sum, { text }) => sum + text.length, 0) / 1024);
}

function seconds() {
  return ((performance.now() - began) / 1000).toFixed(1);
}
