import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** sh-syntax declares the file that defines its global `Go` free of side effects, so a bundler drops it. */
export const keepWasmRuntime = {
  name: 'keep-wasm-runtime',
  setup(build) {
    build.onResolve({ filter: /wasm_exec\.cjs$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path), sideEffects: true }));
  },
};

/** The CommonJS form of jsonc-parser asks for its own files through a parameter, which no bundler follows; its module form does not. */
export const moduleOfJsoncParser = {
  name: 'module-of-jsonc-parser',
  setup(build) {
    build.onResolve({ filter: /^jsonc-parser$/ }, ({ resolveDir }) =>
      build.resolve('jsonc-parser/lib/esm/main.js', { kind: 'import-statement', resolveDir }),
    );
  },
};

/**
 * `const { Agent } = await import('undici')`: node finds the names of a CommonJS module, a bundler gives the default
 * alone. This gives a dynamic import in the bundle the names that it has outside.
 */
export const namesOfCommonJs = {
  name: 'names-of-commonjs',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, namespace }) => {
      if (kind !== 'dynamic-import' || namespace !== 'file' || path.startsWith('node:')) return;
      const found = await build.resolve(path, { kind: 'import-statement', importer, resolveDir });
      if (found.errors.length > 0 || found.external || !(await isCommonJs(found.path))) return;
      return { path: found.path, namespace: 'commonjs', pluginData: { resolveDir } };
    });
    build.onLoad({ filter: /.*/, namespace: 'commonjs' }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(path).href)).filter(
        (name) => /^[A-Za-z_$][\w$]*$/.test(name) && !/^(default|__esModule)$/.test(name),
      );
      const lines = names.map((name) => `export const ${name} = whole.${name};`);
      return {
        contents: [`import whole from ${JSON.stringify(path)};`, 'export default whole;', ...lines].join('\n'),
        resolveDir: dirname(path),
      };
    });
  },
};

async function isCommonJs(file) {
  if (extname(file) === '.cjs') return true;
  if (extname(file) !== '.js') return false;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text).type !== 'module';
  }
  return false;
}
