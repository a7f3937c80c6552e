import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src/io/clock.js';
import { bundle, type Bundle, flow } from '../cli/bundle.js';
import { plant, sh, stage } from '../run/ground.js';

let built: Bundle;
beforeAll(async () => {
  built = await bundle();
});
afterAll(() => built.remove());

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await createClock().sleep(20);
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

it('[R-7 S-6 K-1] a gate command that is killed: the next command ends its programs and takes its scratch away', async () => {
  const told = join(built.folder, 'pid');
  plant(join(built.folder, 'a'), {
    'STAGE.md': stage(),
    'gate.sh': sh(`: "$1"; echo $$ > ${told}.part; mv ${told}.part ${told}; sleep 300`),
  });
  plant(built.folder, { 'out.txt': 'x' });
  const work = join(built.folder, 'work');
  mkdirSync(work);
  const runs = join(built.folder, 'home/runs');
  mkdirSync(runs, { recursive: true, mode: 0o700 });
  const cache = join(built.folder, 'cache');
  const ended = await flow(built, ['gate', '../a', '../out.txt'], {
    cwd: work,
    meet: (child) => void until(() => existsSync(told)).then(() => child.kill('SIGKILL')),
  });
  expect(ended.code).toBeNull();
  const pid = Number(readFileSync(told, 'utf8'));
  expect(readdirSync(runs).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
  expect(readdirSync(cache)).not.toEqual([]);
  const next = await flow(built, ['list']);
  expect(next.err).toMatch(/ended, its scratch folder removed/);
  await until(() => !alive(pid));
  expect([readdirSync(runs), readdirSync(cache)]).toEqual([[], []]);
});

it('[R-7 O-6] where there is no home none is made, and where there is one nothing stays in it', async () => {
  plant(join(built.folder, 'b'), { 'STAGE.md': stage(), 'gate.sh': sh(': "$1"') });
  plant(built.folder, { 'out.txt': 'x' });
  const none = join(built.folder, 'none');
  expect((await flow(built, ['gate', './b', 'out.txt', '--home', none])).code).toBe(0);
  expect(existsSync(none)).toBe(false);
  mkdirSync(join(built.folder, 'one/runs'), { recursive: true, mode: 0o700 });
  expect((await flow(built, ['gate', './b', 'out.txt', '--home', join(built.folder, 'one')])).code).toBe(0);
  expect(readdirSync(join(built.folder, 'one/runs'))).toEqual([]);
});
