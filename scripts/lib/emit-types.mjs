import { spawn } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { root } from './root.mjs';

/**
 * Declarations of the library and of everything it names, under `folder`, laid out like the sources. The internal
 * packages are not published, so their names become relative paths. A type error does not stop the emit: `npm run
 * check` is what judges types. Resolves to a line for people.
 */
export async function emitTypes(project, folder) {
  const code = await compile(project, folder);
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.d.ts'));
  for (const file of files) await relink(join(folder, file), folder);
  return `${files.length} declaration files${code === 0 ? '' : ', with type errors (npx tsc -p . shows them)'}`;
}

function compile(project, folder) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [tsc, '-p', project, '--outDir', folder], { cwd: root, stdio: 'ignore' });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}

async function relink(file, folder) {
  const before = await readFile(file, 'utf8');
  const after = before.replace(/(['"])@gated-flow\/([a-z]+)\1/g, (_, quote, name) => {
    const target = relative(dirname(file), join(folder, 'packages', name, 'src/index.js'));
    return quote + (target.startsWith('.') ? target : `./${target}`) + quote;
  });
  if (after !== before) await writeFile(file, after);
}
