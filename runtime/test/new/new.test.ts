import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDisk } from '../../src/io/disk.js';
import { newFiles } from '../../src/io/new-files.js';
import { readTemplate } from '../../src/io/templates.js';
import { DiskError } from '../../src/ports/disk.js';
import { beginAssembly } from '../../src/templates/begin.js';
import { layOut } from '../../src/templates/layout.js';
import { TEMPLATES } from '../../src/templates/table.js';
import { documentIn } from '../cli/documents.js';
import { atHome } from '../readings/at-home.js';

const removals: (() => void)[] = [];
afterAll(() => removals.splice(0).forEach((remove) => remove()));

function place() {
  const home = atHome();
  removals.push(home.done);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.root, FLOW_HOME: home.home, XDG_CACHE_HOME: join(home.root, 'cache') };
  const work = join(home.root, 'work');
  mkdirSync(work);
  return { work, home: home.home, flow: (...words: string[]) => home.flow(words, { cwd: work, env }) };
}

const folder = join(import.meta.dirname, '../../templates');

it('[I-1] the templates of the table are the folders of the package', () => {
  expect(TEMPLATES.map(({ name }) => name).sort()).toEqual(readdirSync(folder).sort());
});

describe.each(TEMPLATES)('template $name', ({ name, gated, request }) => {
  it('[I-1 I-6] checks without a warning and rehearses to its end, all rounds passed', async () => {
    const { flow, home } = place();
    const made = await flow('new', './mine', '--template', name);
    expect(made.code, made.err).toBe(0);
    const checked = await flow('check', './mine', '--rehearse', '--warnings-fail');
    expect([checked.code, checked.out]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(checked.out).toMatch(/^mine · /);
    const ran = await flow('run', './mine', request, '--rehearse', '--json');
    expect(ran.code, ran.err).toBe(0);
    const { run } = JSON.parse(ran.out);
    const record = readFileSync(join(home, 'runs', run, 'record.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const checks = record.map((line) => JSON.parse(line)).filter(({ event }) => event === 'check');
    expect(checks.filter(({ exit }) => exit !== 0)).toEqual([]);
    expect((await flow('verify', run)).code).toBe(0);
  });

  it('[I-1 I-6] its gates are proven, each by a file that it says no to', async () => {
    const { flow } = place();
    await flow('new', './mine', '--template', name);
    const proof = await flow('gate', './mine', '--json');
    const { stages = [] } = await documentIn(proof.out);
    expect(proof.code).toBe(gated ? 0 : 2);
    expect(stages.flatMap((stage: { never_failed: string[] }) => stage.never_failed)).toEqual([]);
  });

  it('[I-1] every command that is printed works, as it is printed', async () => {
    const { flow } = place();
    const { out } = await flow('new', './mine', '--template', name);
    const commands = out.split('\n').flatMap((line) => /^ {2}flow (\S.*?) {3}/.exec(line)?.[1] ?? []);
    expect(commands).toHaveLength(gated ? 3 : 2);
    for (const line of commands) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      expect((await flow(...words)).code, line).toBe(0);
    }
  });

  it('[A-9] its scripts can be executed, and nothing else can', () => {
    for (const { path, bytes, executable } of layOut(readTemplate(name), { template: name, name: 'mine' })) {
      expect(executable, path).toBe(Buffer.from(bytes).subarray(0, 2).toString() === '#!');
      if (!path.startsWith('flows/')) continue;
      expect(path).toMatch(/^flows\/mine\//);
    }
  });
});

describe('[I-1] where an assembly is begun', () => {
  it('[I-1] in a folder that exists and is empty, and in a fresh repository', async () => {
    const { flow, work } = place();
    mkdirSync(join(work, 'empty'));
    mkdirSync(join(work, 'cloned/.git'), { recursive: true });
    for (const name of ['empty', 'cloned', 'deep/down', 'with space', 'ünïcode']) {
      expect((await flow('new', `./${name}`)).code, name).toBe(0);
      expect((await flow('check', `./${name}`, '--rehearse')).code, name).toBe(0);
    }
  });

  it('[I-1] never where something is: it is named and stays as it was', async () => {
    const { flow, work } = place();
    mkdirSync(join(work, 'full'));
    for (const name of ['a\nb', 'FLOW.md', '.hidden']) writeFileSync(join(work, 'full', name), 'mine');
    const { code, err } = await flow('new', './full');
    expect(code).toBe(2);
    expect(err).toContain('.hidden, FLOW.md, a');
    expect(readdirSync(join(work, 'full')).sort()).toEqual(['.hidden', 'FLOW.md', 'a\nb']);
    writeFileSync(join(work, 'file'), 'mine');
    symlinkSync(join(work, 'nowhere'), join(work, 'link'));
    for (const name of ['file', 'link', 'file/below']) expect((await flow('new', `./${name}`)).code, name).toBe(2);
    expect(readdirSync(work).sort()).toEqual(['file', 'full', 'link']);
  });

  it.each(['request', '.hidden', 'a\u001b[31m', 'x'.repeat(201), 'README.md'])('[A-6] not under the name %j', async (name) => {
    const { flow, work } = place();
    const { code, err } = await flow('new', `./${name}`);
    expect(code).toBe(2);
    expect(err).not.toContain('\u001b');
    expect(readdirSync(work)).toEqual([]);
  });

  it('[I-1] suggests the template that was meant', async () => {
    const { flow } = place();
    expect((await flow('new', './x', '--template', 'gatd')).err).toContain('Did you mean gated?');
    expect((await flow('new', './x', '--template', 'zzz')).err).toContain('minimal, gated, review');
    expect((await flow('new')).code).toBe(2);
  });

  it('[I-2] its document says what was made, or why nothing was', async () => {
    const { flow, work } = place();
    const made = await documentIn((await flow('new', './x', '--json')).out);
    expect(made).toMatchObject({ template: 'minimal', folder: join(work, 'x') });
    expect(made.files).toContain('flows/x/FLOW.md');
    expect(await documentIn((await flow('new', './x', '--json')).out)).toMatchObject({ folder: null });
  });

  it('[I-1] leaves nothing when the disk fails half-way, and keeps what was there', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'new-')));
    removals.push(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, 'there/.git'), { recursive: true });
    for (const name of ['there', 'absent']) {
      let left = 3;
      const failing = {
        file: (path: string, bytes: Uint8Array, options: { executable: boolean }) =>
          (left -= 1) < 0 ? Promise.reject(new DiskError('make', path, 'ENOSPC')) : newFiles.file(path, bytes, options),
      };
      const ports = { disk: createDisk(), newFiles: failing, readTemplate };
      await expect(beginAssembly(join(root, name), 'gated', ports)).rejects.toThrow('ENOSPC');
    }
    expect(readdirSync(root)).toEqual(['there']);
    expect(readdirSync(join(root, 'there'))).toEqual(['.git']);
  });

  it('[I-1] a file that appears meanwhile is not overwritten', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'new-')));
    removals.push(() => rmSync(root, { recursive: true }));
    const racing = {
      file(path: string, bytes: Uint8Array, options: { executable: boolean }) {
        if (path.endsWith('FLOW.md')) {
          mkdirSync(join(path, '..'), { recursive: true });
          writeFileSync(path, 'somebody else');
        }
        return newFiles.file(path, bytes, options);
      },
    };
    const begun = await beginAssembly(join(root, 'x'), 'minimal', { disk: createDisk(), newFiles: racing, readTemplate });
    expect(begun).toMatchObject({ ok: false, message: expect.stringContaining('appeared') });
    expect(readdirSync(join(root, 'x'), { recursive: true }).sort()).toEqual(['flows', 'flows/x', 'flows/x/FLOW.md']);
    expect(readFileSync(join(root, 'x/flows/x/FLOW.md'), 'utf8')).toBe('somebody else');
  });

  it('[I-1] bytes that are not UTF-8 would give the folder another name than was typed', async () => {
    const { flow, work } = place();
    const { code, err } = await flow('new', './a\uFFFD/b');
    expect([code, err]).toEqual([2, 'The name of the folder is not UTF-8. Choose another name.\n']);
    expect(readdirSync(work)).toEqual([]);
  });

  it('[I-1] modes are what the umask leaves', async () => {
    const { flow, work } = place();
    await flow('new', './x', '--template', 'gated');
    const mode = (path: string): number => statSync(join(work, 'x', path)).mode & 0o777;
    const umask = process.umask();
    expect(mode('ASSEMBLY.md')).toBe(0o666 & ~umask);
    expect(mode('flows/x/02-reply/gate/01-section.sh')).toBe(0o777 & ~umask);
  });
});
