import type { Access } from '@gated-flow/assembly';
import { describe, expect, it } from 'vitest';
import { containing } from '../expected.js';
import { TOOLS } from '../../src/agent/tools/index.js';
import { defineTool } from '../../src/agent/tools/tool.js';
import { parameters } from '../../src/agent/tools/parameters.js';
import { LINKS, permitFor, type Permission } from '../../src/permit/permit.js';
import { createFailingDisk, createMemoryDisk, type MemoryDisk } from '../../src/testing/index.js';

const SLOTS = { PWD: '/tree', INPUT: '/nest/in', OUTPUT: '/nest/out/o.txt', TMP: '/nest/tmp', DATA: '/data' };

function ground(): MemoryDisk {
  const disk = createMemoryDisk({
    '/tree/a': '',
    '/nest/in/x': '',
    '/nest/out/.a': '',
    '/nest/tmp/.a': '',
    '/data/d': '',
    '/etc/secret': '',
  });
  disk.entries.set('/tree/out', { kind: 'link', to: '/etc' });
  disk.entries.set('/tree/file-out', { kind: 'link', to: '/etc/secret' });
  disk.entries.set('/tree/in', { kind: 'link', to: 'sub' });
  disk.entries.set('/tree/sub', { kind: 'folder' });
  disk.entries.set('/tree/dangling', { kind: 'link', to: '/etc/not-there' });
  disk.entries.set('/tree/circle', { kind: 'link', to: 'circle' });
  return disk;
}

function asking(access: Access | undefined, disk = ground()) {
  const permit = permitFor({ stage: access ? { access } : {}, allSlots: SLOTS, ports: { disk } });
  return (name: string, input: unknown): Promise<Permission> => {
    const tool = TOOLS.find(({ spec }) => spec.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return permit(tool, input);
  };
}

const shell = (access: Access) => {
  const ask = asking(access);
  return (command: string) => ask('bash', { command });
};

describe('the chain', () => {
  it('[L-7] asks about arguments first, then access, governance, the contract, approval, the sandbox', async () => {
    expect(LINKS.map(({ name }) => name)).toEqual(['arguments', 'access', 'governance', 'contract', 'approval', 'sandbox']);
    expect(await asking({})('read', {})).toEqual({ ok: false, denied: false, output: containing('`path` is required') });
    expect(await asking({})('read', { path: 'a' })).toEqual({ ok: false, denied: true, output: '`read` may not be used here.' });
  });

  it('[A-16] without access everything is allowed', async () => {
    const ask = asking(undefined);
    expect(await ask('read', { path: '/etc/secret' })).toEqual({ ok: true });
    expect(await ask('bash', { command: 'rm -rf "' })).toEqual({ ok: true });
  });

  it('[A-16] a tool that touches nothing is no matter of access', async () => {
    const permit = permitFor({ stage: { access: {} }, allSlots: SLOTS, ports: { disk: ground() } });
    const inner = defineTool({ name: 'inner', description: '', parameters: parameters({}), run: () => ({ output: '' }) });
    expect(await permit(inner, {})).toEqual({ ok: true });
  });
});

describe('access to files', () => {
  it.each([
    ['read', 'a', true],
    ['read', 'sub/new', true],
    ['read', 'in/new', true],
    ['read', '$INPUT/x', false],
    ['read', '../etc/secret', false],
    ['read', '/etc/secret', false],
    ['read', 'out/secret', false],
    ['read', 'out/new/deep', false],
    ['read', 'file-out', false],
    ['read', 'circle', false],
    ['read', '/data/d', true],
    ['read', '$DATA', true],
    ['write', '$OUTPUT', true],
    ['write', '${OUTPUT}', true],
    ['write', '$TMP/new/deep', true],
    ['write', 'a', false],
    ['write', '$OUTPUT/../.a', false],
    ['edit', 'a', false],
  ])('[A-16] %s %s: %s', async (operation, path, allowed) => {
    const ask = asking({ read: ['PWD', 'data'], write: ['OUTPUT', 'TMP'] });
    const input = { read: { path }, write: { path, content: '' }, edit: { path, old: 'a', new: 'b' } }[operation];
    const permission = await ask(operation, input);
    expect(permission.ok).toBe(allowed);
    if (!permission.ok) expect(permission.denied).toBe(true);
  });

  it('[A-16 P-2] a denial names what is allowed, and no real path', async () => {
    expect(await asking({ read: ['PWD', 'data'] })('read', { path: '/nest/in/x' })).toEqual({
      ok: false,
      denied: true,
      output: '`read` may not be used on $INPUT/x. It may be used in: $PWD, $DATA.',
    });
  });

  it('[A-16] a path that is none is a mistake, not a denial', async () => {
    expect(await asking({ read: ['PWD'] })('read', { path: '~/x' })).toMatchObject({ ok: false, denied: false });
  });

  it('[A-16] a link in the place of nothing is judged by where it stands: it is replaced, not followed', async () => {
    expect(await asking({ write: ['PWD'] })('write', { path: 'dangling', content: '' })).toEqual({ ok: true });
  });

  it('[A-16] what the disk does not tell is denied', async () => {
    const disk = createFailingDisk(ground(), { call: 1, code: 'EACCES' });
    const permit = permitFor({ stage: { access: { read: ['PWD'] } }, allSlots: SLOTS, ports: { disk } });
    const [read] = TOOLS;
    expect(read && (await permit(read, { path: 'a' }))).toMatchObject({ ok: false, denied: true });
  });
});

describe('access to the shell', () => {
  it.each([
    'ls -la && git status | grep x',
    'cd sub; echo "rm -rf /" > note; [ -f a ] && export A=1',
    '/usr/bin/git log',
    './build.sh all',
    'for f in *; do git add "$f"; done',
    'echo "$(git rev-parse HEAD)"',
    'cat <<E\nrm -rf /\nE',
  ])('[A-16] allows %s', async (command) => {
    const ask = shell({ bash: ['ls', 'git', 'grep', 'cat', './build.sh'] });
    expect(await ask(command)).toEqual({ ok: true });
  });

  it.each([
    ['rm -rf /', '`rm` may not be used'],
    ['git log; rm x', '`rm` may not be used'],
    ['echo "$(rm x)"', '`rm` may not be used'],
    ['ls | xargs rm', '`xargs` may not be used'],
    ['eval "ls"', '`eval` may not be used'],
    ['. ./x', '`.` may not be used'],
    ['source x', '`source` may not be used'],
    ['exec ls', '`exec` may not be used'],
    ['trap "rm x" EXIT', '`trap` may not be used'],
    ['./git log', '`./git` may not be used'],
    ['/tree/git log', '`/tree/git` may not be used'],
    ['sub/build.sh', '`sub/build.sh` may not be used'],
    ['$PROGRAM x', 'cannot be told beforehand'],
    ['ls "', 'could not be understood'],
  ])('[A-16] denies %s', async (command, message) => {
    const permission = await shell({ bash: ['ls', 'git', './build.sh'] })(command);
    expect(permission).toMatchObject({ ok: false, denied: true, output: containing(message) });
    if (!permission.ok) expect(permission.output).not.toMatch(/assembly|flow|stage|gate\b|access/i);
  });

  it('[A-16] what is listed is allowed, even eval', async () => {
    expect(await shell({ bash: ['eval', 'ls'] })('eval "ls"')).toEqual({ ok: true });
    expect(await shell({ bash: [] })('echo x')).toEqual({ ok: false, denied: true, output: '`bash` may not be used here.' });
  });
});
