#!/usr/bin/env node
// Bundles the command and the library into runtime/dist, and emits the library's types.
//   node scripts/build.mjs            everything
//   node scripts/build.mjs --no-types the bundle alone (half a second)
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { root } from './lib/root.mjs';
import { keepWasmRuntime, moduleOfJsoncParser, namesOfCommonJs } from './lib/bundle-plugins.mjs';
import { emitTypes } from './lib/emit-types.mjs';
import { thirdPartyLicences } from './lib/licences.mjs';

const runtime = join(root, 'runtime');
const dist = join(runtime, 'dist');

// CommonJS dependencies ask for node's own modules by `require`, which an ES module does not have.
const requireBuiltin =
  'const require=(id)=>{const found=process.getBuiltinModule(id);if(found)return found;' +
  "throw Object.assign(new Error(`Cannot find module '${id}'`),{code:'MODULE_NOT_FOUND'})};\n";

const entryPoints = Object.fromEntries(
  [
    ['flow', join(runtime, 'src/cli/bin.ts')],
    ['index', join(runtime, 'src/index.ts')],
  ].filter(([, source]) => existsSync(source)),
);

if (Object.keys(entryPoints).length === 0) {
  console.log('build: runtime/src/cli/bin.ts and runtime/src/index.ts are not there; nothing was built.');
  process.exit(0);
}
const esbuild = await import('esbuild').catch(() => null);
if (esbuild === null) {
  console.log('build: esbuild is not installed (an install without development dependencies); nothing was built.');
  process.exit(0);
}

const began = performance.now();
const types = process.argv.includes('--no-types') || !entryPoints.index ? null : emitTypes(join(dist, 'types'));
const files = await bundle().catch((error) => {
  if (!Array.isArray(error.errors)) throw error;
  // esbuild has said where.
  process.exit(1);
});
console.log(`build: ${files.length} files in ${relative(root, dist)}, ${kibibytes(files)} KiB, ${seconds()} s`);
if (types) console.log(`build: ${await types}, ${seconds()} s`);

async function bundle() {
  const { version } = JSON.parse(await readFile(join(runtime, 'package.json'), 'utf8'));
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints,
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
    define: { FLOW_VERSION: JSON.stringify(version), 'process.env.NODE_ENV': '"production"' },
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
  written.push({ path: join(dist, 'third-party-licenses.txt'), text: await thirdPartyLicences(result.metafile) });
  await mkdir(join(dist, 'chunks'), { recursive: true });
  // Chunks first: whoever starts the command meanwhile finds the old one whole or the new one whole.
  written.sort((a, b) => Number(b.path.includes('/chunks/')) - Number(a.path.includes('/chunks/')));
  for (const { path, text } of written) await writeFile(path, text);
  await copyFile(createRequire(join(root, 'packages/shell/package.json')).resolve('sh-syntax/main.wasm'), join(dist, 'main.wasm'));
  await removeStale(new Set(written.map(({ path }) => path)));
  return written;
}

async function removeStale(current) {
  const folder = join(dist, 'chunks');
  for (const name of await readdir(folder)) if (!current.has(join(folder, name))) await rm(join(folder, name), { force: true });
}

function kibibytes(written) {
  return Math.round(written.reduce((sum, { text }) => sum + text.length, 0) / 1024);
}

function seconds() {
  return ((performance.now() - began) / 1000).toFixed(1);
}
