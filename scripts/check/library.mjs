import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fencedBlocks } from '../lib/fenced-blocks.mjs';
import { root } from '../lib/root.mjs';
import { program } from './program.mjs';

const options = { module: 'NodeNext', target: 'ES2022', strict: true, noEmit: true, skipLibCheck: false, types: ['node'] };

/** What is published: where it stands, the doors a stranger takes, and its command. */
const PACKAGES = [
  {
    name: 'gated-flow',
    folder: 'runtime',
    doors: ['openRecord', 'readAssembly', 'run', 'stage', 'gate', 'graph', 'diff', 'report'],
    bin: 'bin/flow.mjs',
  },
  {
    name: '@gated-flow/contract',
    folder: 'packages/contract',
    doors: ['loadContract', 'enforce', 'openSession', 'contractMiddleware', 'guardStream'],
    bin: 'bin/agentcontract.mjs',
  },
];

/** Installs what would be published into a folder of its own, and uses it as somebody else's project does (I-9, C-12). */
export async function library() {
  const used = [];
  for (const published of PACKAGES) used.push(await usedByAStranger(published));
  const failed = used.filter(({ ok }) => !ok);
  return { ok: failed.length === 0, output: failed.map(({ output }) => output).join('\n') };
}

async function usedByAStranger({ name, folder, doors, bin }) {
  const source = join(root, folder);
  if (!existsSync(join(source, 'src/index.ts'))) return { ok: false, output: `${folder}/src/index.ts is not there.` };
  const project = await mkdtemp(join(tmpdir(), 'flow-library-'));
  const stranger = `import { ${doors.join(', ')} } from '${name}';\n`;
  try {
    await install({ name, source }, join(project, 'node_modules'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['stranger.ts'] }));
    await writeFile(join(project, 'stranger.ts'), `${stranger}export const doors: readonly unknown[] = [${doors.join(', ')}];\n`);
    const typed = await program([process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', project]);
    const imported = await program([process.execPath, '--input-type=module', '-e', `${stranger}void [${doors.join(', ')}];`], {
      cwd: project,
    });
    const started = await program([process.execPath, join('node_modules', name, bin), '--version'], { cwd: project });
    const shown = await examplesOf(source, project);
    const failed = [typed, imported, started, ...shown].filter(({ code }) => code !== 0);
    return { ok: failed.length === 0, output: failed.map(({ output }) => `${name}: ${output}`).join('\n') };
  } finally {
    await rm(project, { recursive: true });
  }
}

/** Runs the examples of the README, which are JavaScript too, with the files it shows. */
async function examplesOf(source, project) {
  const blocks = fencedBlocks(await readFile(join(source, 'README.md'), 'utf8').catch(() => ''));
  for (const { info, text } of blocks) {
    const file = /\bfile=(\S+)/.exec(info)?.[1];
    if (file) await writeFile(join(project, file), text);
  }
  const ran = [];
  for (const { text } of blocks.filter(({ info }) => info === 'ts run')) {
    const example = join(project, `example-${ran.length}.mjs`);
    await writeFile(example, text);
    ran.push(await program([process.execPath, example], { cwd: project }));
  }
  return ran;
}

async function install({ name, source }, modules) {
  const home = join(modules, name);
  await mkdir(join(modules, '@types'), { recursive: true });
  await mkdir(home, { recursive: true });
  const { files } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  for (const each of ['package.json', ...files])
    if (existsSync(join(source, each))) await cp(join(source, each), join(home, each), { recursive: true });
  for (const each of ['@types/node', 'undici-types', 'ai']) await symlink(join(root, 'node_modules', each), join(modules, each));
}
