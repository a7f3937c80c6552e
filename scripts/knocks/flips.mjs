#!/usr/bin/env node
//   node scripts/knocks/flips.mjs [--small] [--every N] [--seed N]
// Every bit of a small signed run, flipped one at a time: verify has to name the file.
import { generateKeyPairSync, createPublicKey } from 'node:crypto';
import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { knocks, library, small, wanted } from '../lib/knocks.mjs';
import { runsOf, startFlow } from '../lib/knocks-run.mjs';

const every = wanted('every', { full: 1, few: 997 });
const samples = wanted('samples', { full: 60, few: 3 });

if (!isMainThread) await workLane(workerData);
else {
  await knocks({
    name: `[Q-27] ${every === 1 ? 'every single bit' : `one bit of ${every}`} of a small sealed run flipped`,
    async knock({ scratch, random, fault, progress }) {
      const { folder, pem } = await sealedRun(scratch);
      const files = await filesOf(folder);
      const start = Math.floor(random() * every);
      const seen = { flipped: 0, lines: 0, inRecord: 0 };
      const lanes = small ? 1 : availableParallelism();
      const flipAll = async (_, index) => {
        const own = join(scratch, `lane-${index}`);
        await cp(folder, own, { recursive: true });
        await lane({ folder: own, pem, files, start, index, lanes }, { seen, fault, progress });
      };
      await Promise.all(Array.from({ length: lanes }, flipAll));
      const sampled = await sampleByCommand({ scratch, folder, files, random, fault, pem });
      return {
        figures: [
          { name: `bits flipped, in ${files.length} files`, value: seen.flipped },
          { name: 'of them in the record, with the line named', value: `${seen.lines} of ${seen.inRecord}` },
          { name: 'by the built command: exit 5 and the file in its words', value: sampled },
        ],
      };
    },
  });
}

function lane(data, { seen, fault, progress }) {
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: data, argv: process.argv.slice(2) });
    worker.on('message', ({ flipped = 0, lines = 0, inRecord = 0, wrong }) => {
      if (wrong !== undefined) fault(wrong);
      const before = seen.flipped;
      seen.flipped += flipped;
      seen.lines += lines;
      seen.inRecord += inRecord;
      if (Math.floor(before / 10_000) < Math.floor(seen.flipped / 10_000)) progress(`${seen.flipped} bits`);
    });
    worker.on('error', (error) => fault(error.stack));
    worker.on('exit', resolve);
  });
}

/** Every lane flips bits of a copy of its own. */
async function workLane({ folder, pem, files, start, index, lanes }) {
  const { openRecord } = await library();
  const publicKey = createPublicKey(await readFile(pem));
  const verify = () => openRecord(folder).verify({ publicKey });
  const whole = await verify();
  if (!whole.verified || whole.signature !== 'good') throw new Error(`the run does not verify untouched: ${JSON.stringify(whole)}`);
  for (const file of files) {
    const bytes = await readFile(join(folder, file));
    const told = { flipped: 0, lines: 0, inRecord: 0 };
    for (let bit = start + index * every; bit < bytes.length * 8; bit += every * lanes) {
      await writeFile(join(folder, file), flip(bytes, bit));
      const verdict = await verify();
      const wrong = names(verdict, file) ? undefined : verdict.verified ? 'not seen' : JSON.stringify(verdict.differences);
      if (wrong !== undefined) parentPort.postMessage({ wrong: `bit ${bit} of ${file}: ${wrong}` });
      told.flipped += 1;
      if (file === 'record.jsonl') told.inRecord += 1;
      if (file === 'record.jsonl' && namesLine(verdict, bytes, bit)) told.lines += 1;
    }
    await writeFile(join(folder, file), bytes);
    parentPort.postMessage(told);
  }
}

async function sealedRun(scratch) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = join(scratch, 'key.pub.pem');
  await writeFile(join(scratch, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(pem, publicKey.export({ type: 'spki', format: 'pem' }));
  const assembly = join(scratch, 'lone');
  await mkdir(assembly);
  await writeFile(join(assembly, 'STAGE.md'), '---\n---\nWrite x.\n');
  await writeFile(join(assembly, 'gate.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const script = join(scratch, 'script.jsonl');
  const lines = [{ calls: [{ tool: 'write', input: { path: '$OUTPUT', content: 'x' } }] }, { text: 'ok' }];
  await writeFile(script, lines.map((line) => `${JSON.stringify({ stage: 'lone', ...line })}\n`).join(''));
  const words = ['run', '--quiet', '--script', script, '--sign', join(scratch, 'key.pem'), assembly, 'go'];
  const { code, err } = await startFlow(words, { place: scratch }).ended;
  if (code !== 0) throw new Error(err);
  const [run] = runsOf(join(scratch, 'home'));
  return { folder: join(scratch, 'home/runs', run), pem };
}

async function filesOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

function flip(bytes, bit) {
  const changed = Buffer.from(bytes);
  changed[bit >> 3] ^= 1 << (bit & 7);
  return changed;
}

function names(verdict, file) {
  return !verdict.verified && verdict.differences.some(({ path, message }) => path === file || message.includes(file));
}

/** The line that was hit, or the one behind it, whose link to the line before broke. */
function namesLine({ differences }, bytes, bit) {
  const line = bytes.subarray(0, bit >> 3).filter((byte) => byte === 10).length + 1;
  return differences.some(({ path, line: said }) => path === 'record.jsonl' && (said === line || said === line + 1));
}

async function sampleByCommand({ scratch, folder, files, random, fault, pem }) {
  const copy = join(scratch, 'copied-run');
  await cp(folder, copy, { recursive: true });
  let held = 0;
  for (let n = 0; n < samples; n++) {
    const file = files[Math.floor(random() * files.length)];
    const bytes = await readFile(join(folder, file));
    if (bytes.length === 0) continue;
    await writeFile(join(copy, file), flip(bytes, Math.floor(random() * bytes.length * 8)));
    const { code, out } = await startFlow(['verify', copy, ...(small ? [] : ['--key', pem])], { place: scratch }).ended;
    await writeFile(join(copy, file), bytes);
    if (code === 5 && out.includes(file)) held += 1;
    else fault(`flow verify with a bit of ${file} flipped: exit ${code}: ${out}`);
  }
  return held;
}
