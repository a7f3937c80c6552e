import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { root } from './root.mjs';

/** The built command: `FLOW` names another one's `flow.js`, with the library's `index.js` beside it. */
export const command = resolve(process.env.FLOW ?? join(root, 'runtime/dist/flow.js'));
export const library = () => import(pathToFileURL(join(dirname(command), `index${extname(command)}`)).href);

const results = join(root, 'scripts/knocks/results');
const LONGEST_FAULT = 600;

export const small = process.argv.includes('--small');

/** The number after `--name`, else what the size asks for. */
export function wanted(name, { full, few }) {
  const at = process.argv.indexOf(`--${name}`);
  const said = at === -1 ? NaN : Number(process.argv[at + 1]);
  return Number.isFinite(said) ? said : small ? few : full;
}

/**
 * One knock. `knock({scratch, random, fault, progress})` resolves to `{figures: [{name, value}]}`; `fault(text)` notes what must not
 * be. Prints, writes JSON unless it was a small one, and exits 1 when anything was noted.
 */
export async function knocks({ name, knock }) {
  if (!existsSync(command)) {
    console.error(`There is no ${command}: npm run build`);
    process.exit(2);
  }
  const seed = wanted('seed', { full: Math.floor(Math.random() * 2 ** 31), few: 1 });
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'flow-knocks-')));
  const faults = [];
  const began = performance.now();
  try {
    const { figures } = await knock({
      scratch,
      random: randomOf(seed),
      fault: (text) => faults.push(String(text).slice(0, LONGEST_FAULT)),
      progress: (text) => small || process.stderr.write(`  ${Math.round((performance.now() - began) / 1000)} s: ${text}\n`),
    });
    const id = /\[(.*?)\]/.exec(name)[1];
    const seconds = (performance.now() - began) / 1000;
    console.log(`${name} (seed ${seed}, ${seconds.toFixed(0)} s)`);
    for (const figure of figures) console.log(`  ${figure.name}: ${figure.value}`);
    for (const text of faults.slice(0, 20)) console.log(`  FAULT: ${text}`);
    console.log(faults.length === 0 ? '  held' : `  ${faults.length} faults; again with --seed ${seed}`);
    if (!small) {
      await mkdir(results, { recursive: true });
      const words = process.argv.slice(2).join(' ');
      const document = { id, name, measured: new Date().toISOString(), node: process.version, words, seed, seconds, figures, faults };
      await writeFile(join(results, `${id}.json`), `${JSON.stringify(document, null, 2)}\n`);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  process.exit(faults.length === 0 ? 0 : 1);
}

/** Numbers in [0, 1), the same for the same seed. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Does `act(item, index)` for every item, a few at a time. */
export async function inLanes(items, act, lanes = availableParallelism()) {
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      await act(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
