import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { worktrees } from '../../src/io/worktree.js';
import type { Worktree } from '../../src/ports/worktree.js';
import { matching } from '../expected.js';
import { program, scratchFolder } from './scratch.js';

const BRANCH = 'flow/2026-01-01T00-00-00-abcd';

function repository() {
  const base = scratchFolder();
  const home = join(base, 'home');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', home, '-c', 'user.name=U', '-c', 'user.email=u@x', ...args], { encoding: 'utf8' });
  mkdirSync(join(home, 'sub'), { recursive: true });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(home, 'a.txt'), 'a\n');
  writeFileSync(join(home, 'gone.txt'), 'gone\n');
  writeFileSync(join(home, 'sub', 'b.txt'), 'b\n');
  writeFileSync(join(home, '.gitignore'), 'ignored\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const state = () => [
    git('rev-parse', 'HEAD'),
    git('status', '--porcelain'),
    git('symbolic-ref', 'HEAD'),
    readFileSync(join(home, '.git', 'index')).toString('hex'),
  ];
  const open = async (more: { from?: string; dirty?: boolean } = {}): Promise<Worktree> => {
    const opened = await worktrees.open({ from: home, folder: join(base, 'w-1'), branch: BRANCH, dirty: false, ...more });
    if (!opened.ok) throw new Error(opened.message);
    return opened.worktree;
  };
  return { base, home, git, state, open, folder: join(base, 'w-1') };
}

describe('a working tree of its own', () => {
  it('[O-7 Q-22] a disk that refuses is named, and the work is kept', async () => {
    const { home, open, git, state, folder } = repository();
    const before = state();
    mkdirSync(`${folder}.index`);
    await expect(open({ dirty: true })).rejects.toMatchObject({ name: 'DiskError', path: `${folder}.index` });
    expect([existsSync(folder), state()]).toEqual([false, before]);
    rmSync(`${folder}.index`, { recursive: true });

    const tree = await open();
    writeFileSync(join(tree.workdir, 'a.txt'), 'work\n');
    mkdirSync(`${folder}.index`);
    const { left, lines } = await tree.close('success');
    expect([left, lines[0]]).toEqual(['worktree', matching(/could not be closed \(.*EISDIR.*\) and is kept\.$/)]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('work\n');
    git('worktree', 'remove', '--force', folder);
    expect(readFileSync(join(home, 'a.txt'), 'utf8')).toBe('a\n');
  });

  it('[O-7] stands at HEAD, without what is not committed, and is removed when nothing changed', async () => {
    const { home, open, folder, state, git } = repository();
    writeFileSync(join(home, 'a.txt'), 'changed\n');
    writeFileSync(join(home, 'new.txt'), 'new\n');
    git('status');
    const before = state();
    const tree = await open();
    expect(readFileSync(join(tree.workdir, 'a.txt'), 'utf8')).toBe('a\n');
    expect(existsSync(join(tree.workdir, 'new.txt'))).toBe(false);
    writeFileSync(join(tree.workdir, 'ignored'), 'x');
    expect(await tree.close('success')).toEqual({ left: 'nothing', lines: [] });
    expect(existsSync(folder)).toBe(false);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(git('branch', '--list', 'flow/*')).toBe('');
    expect(state()).toEqual(before);
  });

  it('[O-7] with dirty it has uncommitted, deleted and untracked changes too, and those alone are no change', async () => {
    const { home, open, folder, state, git } = repository();
    writeFileSync(join(home, 'a.txt'), 'changed\n');
    writeFileSync(join(home, 'new.txt'), 'new\n');
    writeFileSync(join(home, 'staged.txt'), 'staged\n');
    git('add', 'staged.txt');
    rmSync(join(home, 'gone.txt'));
    const before = state();
    const tree = await open({ dirty: true });
    const content = (name: string) => readFileSync(join(tree.workdir, name), 'utf8');
    expect([content('a.txt'), content('new.txt'), content('staged.txt')]).toEqual(['changed\n', 'new\n', 'staged\n']);
    expect(existsSync(join(tree.workdir, 'gone.txt'))).toBe(false);
    expect(await tree.close('success')).toEqual({ left: 'nothing', lines: [] });
    expect(existsSync(folder)).toBe(false);
    expect(state()).toEqual(before);
  });

  it('[O-7] changes are committed to a branch on success, hooks or no hooks, and never merged', async () => {
    const { home, open, folder, state, git } = repository();
    for (const hook of ['pre-commit', 'post-checkout', 'commit-msg', 'reference-transaction']) {
      program(join(home, '.git', 'hooks', hook), `#!/bin/sh\necho ran >> ${join(home, '..', 'hooks-ran')}\nexit 1\n`);
    }
    const before = state();
    const tree = await open();
    writeFileSync(join(tree.workdir, 'a.txt'), 'better\n');
    writeFileSync(join(tree.workdir, 'made.txt'), 'made\n');
    const end = await tree.close('success');
    expect(end.left).toBe('branch');
    expect(end.lines.join('\n')).toContain(`git -C ${home} merge ${BRANCH}`);
    expect(git('show', `${BRANCH}:a.txt`)).toBe('better\n');
    expect(git('show', `${BRANCH}:made.txt`)).toBe('made\n');
    expect(git('log', '--format=%s', `main..${BRANCH}`)).toBe(`${BRANCH}\n`);
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(join(home, '..', 'hooks-ran'))).toBe(false);
    expect(state()).toEqual(before);
  });

  it('[O-7] what was uncommitted at the start is a commit of its own before it', async () => {
    const { home, open, git } = repository();
    writeFileSync(join(home, 'new.txt'), 'new\n');
    const tree = await open({ dirty: true });
    writeFileSync(join(tree.workdir, 'made.txt'), 'made\n');
    await tree.close('success');
    expect(git('log', '--reverse', '--name-only', '--format=', `main..${BRANCH}`).trim()).toMatch(/^new\.txt\n+made\.txt$/);
  });

  it('[O-7] commits made inside are kept as they are', async () => {
    const { open, git } = repository();
    const tree = await open();
    writeFileSync(join(tree.workdir, 'made.txt'), 'made\n');
    const inside = (...args: string[]) => execFileSync('git', ['-C', tree.workdir, '-c', 'user.name=A', '-c', 'user.email=a@x', ...args]);
    inside('add', '-A');
    inside('commit', '-qm', 'its own');
    expect((await tree.close('success')).left).toBe('branch');
    expect(git('log', '--format=%s', `main..${BRANCH}`)).toBe('its own\n');
  });

  it('[O-7] on failure changes are kept as they are', async () => {
    const { open, folder, git, home } = repository();
    const tree = await open();
    writeFileSync(join(tree.workdir, 'made.txt'), 'made\n');
    const end = await tree.close('failure');
    expect(end.left).toBe('worktree');
    expect(end.lines.join('\n')).toContain(`git -C ${home} worktree remove --force ${folder}`);
    expect(execFileSync('git', ['-C', folder, 'status', '--porcelain'], { encoding: 'utf8' })).toBe('?? made.txt\n');
    expect(git('branch', '--list', 'flow/*')).toBe('');
  });

  it('[O-7] a folder inside the repository becomes the same folder inside the worktree', async () => {
    const { home, open, folder } = repository();
    const tree = await open({ from: join(home, 'sub') });
    expect(tree.workdir).toBe(join(folder, 'sub'));
    expect(readFileSync(join(tree.workdir, 'b.txt'), 'utf8')).toBe('b\n');
    await tree.close('success');
  });

  it('[O-7] a tree whose .git was broken is kept and said', async () => {
    const { open, folder } = repository();
    const tree = await open();
    writeFileSync(join(tree.workdir, '.git'), 'nonsense');
    writeFileSync(join(tree.workdir, 'made.txt'), 'made\n');
    const end = await tree.close('success');
    expect(['branch', 'worktree']).toContain(end.left);
    expect(existsSync(folder)).toBe(end.left === 'worktree');
  });
});

describe('what cannot be isolated', () => {
  it('[O-7] no git repository, no commit, a folder that is not committed: a refusal with the way out, and nothing left', async () => {
    const { base, home, git } = repository();
    const refusal = async (from: string) => {
      const opened = await worktrees.open({ from, folder: join(base, 'w-2'), branch: BRANCH, dirty: false });
      return opened.ok ? null : opened.message;
    };
    const plain = join(base, 'plain');
    mkdirSync(plain);
    expect(await refusal(plain)).toMatch(/not in the working tree of a git repository.*git init/);
    execFileSync('git', ['-C', plain, 'init', '-q']);
    expect(await refusal(plain)).toMatch(/no commit yet/);
    mkdirSync(join(home, 'fresh'));
    expect(await refusal(join(home, 'fresh'))).toMatch(/--isolate=dirty/);
    expect(existsSync(join(base, 'w-2'))).toBe(false);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });
});
