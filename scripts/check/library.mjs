import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { program } from './program.mjs';

const stranger = `import { openRecord, readAssembly, run } from 'gated-flow';
export const doors: readonly unknown[] = [openRecord, readAssembly, run];
`;
const options = { module: 'NodeNext', target: 'ES2022', strict: true, noEmit: true, skipLibCheck: false, types: ['node'] };

/** Installs what would be published into a folder of its own, and uses it as somebody else's project does (I-9). */
export async function library() {
  const runtime = join(root, 'runtime');
  if (!existsSync(join(runtime, 'src/index.ts'))) return { ok: false, output: 'runtime/src/index.ts is not there.' };
  const project = await mkdtemp(join(tmpdir(), 'flow-library-'));
  try {
    await install(runtime, join(project, 'node_modules'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['stranger.ts'] }));
    await writeFile(join(project, 'stranger.ts'), stranger);
    const typed = await program([process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', project]);
    const imported = await program([process.execPath, '--input-type=module', '-e', stranger.replaceAll(/: readonly.*?\]/g, '')], {
      cwd: project,
    });
    const started = await program([process.execPath, 'node_modules/gated-flow/bin/flow.mjs', '--version'], { cwd: project });
    const failed = [typed, imported, started].filter(({ code }) => code !== 0);
    return { ok: failed.length === 0, output: failed.map(({ output }) => output).join('\n') };
  } finally {
    await rm(project, { recursive: true });
  }
}

async function install(runtime, modules) {
  const home = join(modules, 'gated-flow');
  await mkdir(join(modules, '@types'), { recursive: true });
  await mkdir(home);
  const { files } = JSON.parse(await readFile(join(runtime, 'package.json'), 'utf8'));
  for (const name of ['package.json', ...files])
    if (existsSync(join(runtime, name))) await cp(join(runtime, name), join(home, name), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) await symlink(join(root, 'node_modules', name), join(modules, name));
}
