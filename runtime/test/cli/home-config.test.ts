import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { createDisk } from '../../src/io/disk.js';
import { loadConfig, readOnce } from '../../src/plan/config/load.js';
import { scratchFolder } from '../io/scratch.js';
import { assembly, plant, stage } from '../plan/ground.js';
import { fakeIo } from './io.js';

/** A home with a config, and how often a command reads it. */
async function readings(words: readonly string[], config = 'redact: [MINE]\n'): Promise<{ readonly read: number; readonly code: number }> {
  const home = scratchFolder();
  plant(join(home, 'a'), assembly({ '01-a.md': stage() }));
  writeFileSync(join(home, 'config.yaml'), config);
  let read = 0;
  const readConfig = readOnce((asked) => {
    expect(asked).toBe(home);
    read += 1;
    return loadConfig(asked, createDisk());
  });
  const code = await main(words, fakeIo({ env: { FLOW_HOME: home }, cwd: home, readConfig }));
  return { read, code };
}

it.each([
  ['models', ['models'], 1],
  ['list', ['list'], 1],
  ['graph', ['graph', './a'], 0],
  ['check', ['check', './a', '--rehearse'], 0],
  ['rehearsal', ['run', './a', '--rehearse', '-q', 'a request'], 0],
  ['probe', ['governance', 'probe', './a'], 2],
  ['doctor', ['doctor', '--offline'], 1],
  ['misuse', ['lisst'], 2],
])('[O-5 S-2] the config of the home is read once: %s', async (_name, words, code) => {
  expect(await readings(words)).toEqual({ read: 1, code });
});

it('[O-5] one that cannot be used is read once too, and refused', async () => {
  expect(await readings(['list'], 'redact: {}\n')).toEqual({ read: 1, code: 2 });
});

it.each([[[]], [['--help']], [['help']]])('[Q-1] and not at all where only the help is asked for: %j', async (words) => {
  expect(await readings(words)).toEqual({ read: 0, code: 0 });
});

it('[O-5] each home is read, and where there is none nothing is', async () => {
  const asked: (string | null)[] = [];
  const readConfig = readOnce((home) => {
    asked.push(home);
    return loadConfig(home, createDisk());
  });
  await readConfig('/no/such/a');
  await readConfig('/no/such/b');
  await readConfig('/no/such/a');
  expect(await readConfig(null)).toMatchObject({ ok: true, value: { redact: [] } });
  expect(asked).toEqual(['/no/such/a', '/no/such/b', null]);
});
