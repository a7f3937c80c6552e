import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parseAssembly, passFixture, readAssembly, readSnapshot } from '../src/index.js';
import type { Entry, Snapshot } from '../src/index.js';
import type { Tree } from './support/plant.js';
import { S, assembly, onDisk, sh, snapshot, stage } from './support/plant.js';

const grounds: { done: () => void }[] = [];
afterEach(() => {
  for (const ground of grounds.splice(0)) ground.done();
});

function plant(tree: Tree, name?: string): string {
  const ground = onDisk(tree, name);
  grounds.push(ground);
  return ground.root;
}

function read(root: string): Snapshot {
  const result = readSnapshot(root);
  if (!result.ok) throw new Error(result.refusals.map(({ message }) => message).join());
  return result.snapshot;
}

async function refusals(root: string): Promise<readonly string[]> {
  const parsed = await parseAssembly(read(root));
  return parsed.ok ? [] : parsed.refusals.map(({ code, path }) => `${code} ${path}`);
}

describe('a folder is read once', () => {
  it('[A-20] the disk and the memory give the same snapshot', () => {
    const tree = assembly(
      { '01-a/STAGE.md': S, '01-a/gate.sh': sh(), '01-a/.fixtures/pass/a': 'x', '02-ü.md': S, '02-b': { link: '/x' } },
      { 'lib/x': { bytes: Buffer.from([0, 255, 10]) }, '.git/HEAD': 'x', 'src/a': 'x' },
    );
    const root = plant(tree);
    const plain = ({ entries }: Snapshot): readonly Entry[] =>
      [...entries.values()]
        .map((entry) =>
          entry.kind === 'file' ? { ...entry, bytes: Buffer.from(entry.bytes ?? []), head: Buffer.from(entry.head) } : entry,
        )
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    expect(plain(read(root))).toEqual(plain(snapshot(tree, root)));
  });

  it('[A-13] pipes, sockets, devices and names that are no UTF-8', async () => {
    const root = plant(assembly({ '01-a.md': S }, { 'lib/x': 'y' }));
    execFileSync('mkfifo', [`${root}/lib/pipe`, `${root}/flows/main/02-b.md`]);
    writeFileSync(Buffer.concat([Buffer.from(`${root}/lib/`), Buffer.from([0x61, 0xff])]), 'x');
    const server = createServer().listen(`${root}/lib/socket`);
    await new Promise((listening) => server.once('listening', listening));
    expect(await refusals(root)).toEqual([
      'entry-unknown flows/main/02-b.md',
      'entry-unknown lib/a\\xff',
      'entry-unknown lib/pipe',
      'entry-unknown lib/socket',
    ]);
    await new Promise((closed) => server.close(closed));
  });

  it('[A-13] a real name cannot hide one that is no UTF-8', async () => {
    const root = plant(assembly({ '01-a.md': S }, { 'lib/a\\xff': 'y' }));
    writeFileSync(Buffer.concat([Buffer.from(`${root}/lib/`), Buffer.from([0x61, 0xff])]), 'x');
    expect(await refusals(root)).toEqual(['entry-unknown lib/a\\xff']);
  });

  it('[A-13] links are refused and never followed, in loops neither', async () => {
    const root = plant(assembly({ '01-a.md': S }, { 'lib/x': 'y' }));
    symlinkSync('..', `${root}/lib/up`);
    symlinkSync(root, `${root}/flows/again`);
    symlinkSync('/nowhere', `${root}/skills`);
    expect(await refusals(root)).toEqual(['symlink flows/again', 'symlink lib/up', 'symlink skills']);
  });

  it('[A-15] what is opaque is not looked at', () => {
    const tree = {
      ...assembly({ '01-a.md': S }),
      'ASSEMBLY.md': '---\nfolders: [big]\nstrict: false\n---\n',
      'big/a': 'x',
      'other/b': 'x',
      notes: 'x',
    };
    const root = plant(tree);
    execFileSync('mkfifo', [`${root}/big/pipe`]);
    expect(read(root).opaque).toEqual(expect.arrayContaining(['big', 'other', 'notes']));
    expect([...read(root).entries.keys()].filter((path) => /big|other|notes/u.test(path))).toEqual([]);
  });

  it('[A-20] large files are hashed in pieces and not kept', () => {
    const root = plant(assembly({ '01-a.md': S }, { 'lib/x': 'y' }));
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 7, 'abc');
    writeFileSync(`${root}/lib/big`, bytes);
    expect(read(root).entries.get('lib/big')).toEqual({
      kind: 'file',
      path: 'lib/big',
      size: bytes.length,
      executable: false,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      head: new Uint8Array(bytes.subarray(0, 256)),
    });
  });

  it('[A-20] a stage of 3 MiB is kept, one over 4 MiB is refused', async () => {
    expect(await refusals(plant(assembly({ '01-a.md': stage('x'.repeat(3 * 1024 * 1024)) })))).toEqual([]);
    expect(await refusals(plant(assembly({ '01-a.md': stage('x'.repeat(4 * 1024 * 1024)) })))).toEqual([
      'value-invalid flows/main/01-a.md',
    ]);
  });

  it('[A-20] absurd nesting ends in a refusal', async () => {
    const root = plant(assembly({ '01-a.md': S }, { [`lib/${'d/'.repeat(70)}x`]: 'y' }));
    expect(await refusals(root)).toEqual([`unreadable lib${'/d'.repeat(64)}`]);
  });

  it('[A-13] what cannot be read says why', () => {
    const root = plant({ a: 'x' });
    expect(readSnapshot(`${root}/a`)).toMatchObject({ ok: false, refusals: [{ code: 'unreadable', path: '.' }] });
    expect(readSnapshot(`${root}/b`)).toMatchObject({ ok: false, refusals: [{ code: 'unreadable', path: '.' }] });
  });

  it('[A-20] reading writes nothing', () => {
    const root = plant(assembly({ '01-a/STAGE.md': S, '01-a/gate.sh': sh('touch "$0.ran"') }));
    const before = [readdirSync(root, { recursive: true }).sort(), statSync(root).mtimeMs];
    read(root);
    expect([readdirSync(root, { recursive: true }).sort(), statSync(root).mtimeMs]).toEqual(before);
  });
});

describe('the hash', () => {
  it('[A-19] covers every visible file, its path and its executable bit, in bytewise order', async () => {
    const root = plant(
      assembly({ '01-a/STAGE.md': S, '01-a/gate.sh': sh() }, { 'lib/\u{1f600}': 'a', 'lib/\uff5e': 'b', 'README.md': 'r', '.hidden': 'h' }),
    );
    const parsed = await parseAssembly(read(root));
    const files = [
      'ASSEMBLY.md',
      'README.md',
      'flows/main/01-a/STAGE.md',
      'flows/main/01-a/gate.sh',
      'flows/main/FLOW.md',
      'lib/\uff5e',
      'lib/\u{1f600}',
    ];
    const lines = files.map((path) => {
      const digest = execFileSync('sha256sum', { input: execFileSync('cat', [`${root}/${path}`]) })
        .toString('utf8')
        .slice(0, 64);
      return `${path}:${digest}${path.endsWith('.sh') ? ':x' : ''}\n`;
    });
    expect(parsed).toMatchObject({
      ok: true,
      assembly: { files: files.length, hash: createHash('sha256').update(lines.join('')).digest('hex') },
    });
  });

  it('[A-19] one byte, one bit, one name: each changes it', async () => {
    const trees = [
      assembly({ '01-a.md': S }),
      assembly({ '01-a.md': `${S} ` }),
      assembly({ '01-b.md': S }),
      assembly({ '01-a.md': { x: S } }),
    ];
    const hashes = await Promise.all(trees.map(async (tree) => parseAssembly(snapshot(tree))));
    expect(new Set(hashes.map((each) => each.ok && each.assembly.hash)).size).toBe(trees.length);
  });
});

describe('which folder a path names', () => {
  const tree = {
    ...assembly({
      '01-a.md': S,
      '02-b/STAGE.md': S,
      '03-l/LOOP.md': '---\nrepeat: 2\n---\n',
      '03-l/01-c.md': S,
      '04-z.md': S,
      '02-b/subflows/inner/FLOW.md': '---\ndescription: d\n---\n',
      '02-b/subflows/inner/01-i.md': S,
    }),
    'ASSEMBLY.md': '---\nfolders: [examples]\n---\n',
    'flows/other/FLOW.md': '---\ndescription: d\n---\n',
    'flows/other/01-o.md': S,
    'examples/lone/FLOW.md': '---\ndescription: d\n---\n',
    'examples/lone/01-e.md': S,
  };

  const found: Readonly<Record<string, readonly [path: string, focus: object]>> = {
    'the assembly': ['', {}],
    'its sentinel': ['ASSEMBLY.md', {}],
    'a flow by its folder': ['flows/main', { flow: 'main' }],
    'a flow by its name': ['other', { flow: 'other' }],
    'a stage in a folder': ['flows/main/02-b', { flow: 'main', stage: '02-b' }],
    'its sentinel file': ['flows/main/02-b/STAGE.md', { flow: 'main', stage: '02-b' }],
    'a stage in a file': ['flows/main/01-a.md', { flow: 'main', stage: '01-a' }],
    'a stage in a file, without its ending': ['flows/main/01-a', { flow: 'main', stage: '01-a' }],
    'a stage by the name of its flow': ['main/03-l/01-c', { flow: 'main', stage: '03-l/01-c' }],
    'a stage in a loop': ['flows/main/03-l/01-c.md', { flow: 'main', stage: '03-l/01-c' }],
    'a subflow': ['flows/main/02-b/subflows/inner', { flow: 'inner' }],
    'a stage of a subflow': ['flows/main/02-b/subflows/inner/01-i.md', { flow: 'inner', stage: '01-i' }],
  };
  for (const [name, [path, focus]] of Object.entries(found)) {
    it(`[A-2 O-1] ${name}`, async () => {
      const root = plant(tree);
      const result = await readAssembly(`${root}/${path}`);
      expect(result).toMatchObject({ ok: true, focus, assembly: { sentinel: 'ASSEMBLY.md', snapshot: { root } } });
      expect(result.ok && Object.keys(result.focus).sort()).toEqual(Object.keys(focus).sort());
    });
  }

  it('[A-2] a flow in an opaque folder is a root of its own', async () => {
    const root = plant(tree);
    expect(await readAssembly(`${root}/examples/lone`)).toMatchObject({
      ok: true,
      focus: {},
      assembly: { sentinel: null, flows: [{ name: 'lone', path: '.' }] },
    });
  });

  it('[A-2] a lone stage carries the name of its folder', async () => {
    const root = plant({ 'STAGE.md': S, 'gate.sh': sh() }, '02-analyze');
    expect(await readAssembly(root)).toMatchObject({
      ok: true,
      focus: {},
      assembly: {
        sentinel: null,
        flows: [
          {
            name: 'analyze',
            steps: [
              { name: 'analyze', path: '02-analyze', entry: '.', sentinel: 'STAGE.md', gates: [{ path: 'gate.sh', name: 'gate.sh' }] },
            ],
          },
        ],
      },
    });
  });

  it('[A-2] the folder around a stage inside an assembly is still validated whole', async () => {
    const root = plant({ ...tree, 'flows/other/01-o.md': '---\n---\n' });
    expect(await readAssembly(`${root}/flows/main/02-b`)).toMatchObject({
      ok: false,
      root,
      refusals: [{ code: 'body-missing', path: 'flows/other/01-o.md' }],
    });
  });

  const refused: Readonly<Record<string, readonly [path: string, code: string, says: RegExp]>> = {
    'nothing there': ['../nowhere/x', 'assembly-unknown', /nothing at/],
    'a flow that is not there': ['mian', 'flow-unknown', /Did you mean "main".*"main", "other"/],
    'a flow that is not there, in full': ['flows/mian', 'flow-unknown', /"main", "other"/],
    'a stage that is not there': ['flows/main/09-x', 'flow-unknown', /no stage "09-x"/],
    'a container': ['flows/main/03-l', 'flow-unknown', /is a LOOP/],
    'a folder that is no flow': ['flows', 'flow-unknown', /names no flow/],
    'a folder in a stage': ['flows/main/02-b/subflows', 'flow-unknown', /names no flow/],
  };
  for (const [name, [path, code, says]] of Object.entries(refused)) {
    it(`[A-1 O-1] ${name}`, async () => {
      const result = await readAssembly(`${plant(tree)}/${path}`);
      expect(result).toMatchObject({ ok: false, refusals: [{ code, path: 'command', message: expect.stringMatching(says) }] });
    });
  }

  it('[A-1] a folder of something else, and a file', async () => {
    const root = plant({ 'main.py': 'x' });
    expect(await readAssembly(root)).toMatchObject({ ok: false, root, refusals: [{ code: 'assembly-incomplete', path: '.' }] });
    expect(await readAssembly(`${root}/main.py`)).toMatchObject({ ok: false, refusals: [{ code: 'assembly-unknown', path: 'command' }] });
  });

  it('[A-2] a link to an assembly is an assembly, read at its real place', async () => {
    const root = plant(tree);
    symlinkSync(root, `${root}-link`);
    expect(await readAssembly(`${root}-link/main`)).toMatchObject({ ok: true, focus: { flow: 'main' }, assembly: { snapshot: { root } } });
  });

  it('[O-1] a relative path counts from the given folder', async () => {
    const root = plant(tree);
    expect(await readAssembly('./flows/other', root)).toMatchObject({ ok: true, focus: { flow: 'other' } });
  });
});

describe('outputs that are known to pass', () => {
  it('[I-1] the first in name order, as bytes', () => {
    const root = plant(
      assembly({
        '01-a/STAGE.md': S,
        '01-a/.fixtures/pass/b.txt': 'b',
        '01-a/.fixtures/pass/a.txt': { bytes: Buffer.from([255, 0]) },
        '01-a/.fixtures/pass/.x': 'x',
        '02-b/STAGE.md': S,
        '02-b/.fixtures/pass': { dir: true },
      }),
    );
    expect(passFixture(root, 'flows/main/01-a')).toEqual({ name: 'a.txt', bytes: Buffer.from([255, 0]) });
    expect(passFixture(root, 'flows/main/02-b')).toBeNull();
    expect(passFixture(root, 'flows/main/03-c.md')).toBeNull();
  });

  it('[M-6] one of any size', () => {
    const bytes = Buffer.alloc(1024 * 1024 + 1, 'a');
    const root = plant(assembly({ '01-a/STAGE.md': S, '01-a/.fixtures/pass/a.txt': { bytes } }));
    expect(passFixture(root, 'flows/main/01-a')?.bytes.length).toBe(bytes.length);
  });

  it('[I-1] a link there is not followed', () => {
    const root = plant(assembly({ '01-a/STAGE.md': S, '01-a/.fixtures/pass/a.txt': { link: '/etc/hostname' } }));
    expect(passFixture(root, 'flows/main/01-a')).toBeNull();
  });

  it('[A-13 A-19] they are outside the assembly', () => {
    const root = plant(assembly({ '01-a/STAGE.md': S }));
    const before = [...read(root).entries.keys()];
    mkdirSync(`${root}/flows/main/01-a/.fixtures/pass`, { recursive: true });
    symlinkSync('/x', `${root}/flows/main/01-a/.fixtures/pass/x`);
    expect([...read(root).entries.keys()]).toEqual(before);
  });
});
